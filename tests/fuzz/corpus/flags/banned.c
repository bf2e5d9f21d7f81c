/* x
 * cflags: -Ofast
 */
