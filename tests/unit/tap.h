/* SPDX-License-Identifier: MIT */
/* tap.h - unit tests that print TAP, so that prove(1) can run them. */
#ifndef AO_TESTS_TAP_H
#define AO_TESTS_TAP_H

#include "util/base.h"

static int tap_count, tap_failed;
static bool tap_ok;
static const char *tap_skipped;

#define EXPECT(cond)                                                        \
	do {                                                                \
		if (!(cond)) {                                              \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond); \
			tap_ok = false;                                     \
		}                                                           \
	} while (0)

/* Say why what the rest of a test needs is not there. */
#define SKIP(why) (tap_skipped = (why))

/* The title is the test's name with its underscores as spaces. */
static inline void tap_run(const char *name, void (*test)(void))
{
	tap_ok = true;
	tap_skipped = NULL;
	test();
	if (!tap_ok)
		tap_failed++;
	printf("%sok %d - ", tap_ok ? "" : "not ", ++tap_count);
	for (; *name; name++)
		putchar(*name == '_' ? ' ' : *name);
	if (tap_skipped)
		printf(" # SKIP %s", tap_skipped);
	putchar('\n');
}

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

#define RUN(test) tap_run(#test, test)

#endif
