/* SPDX-License-Identifier: MIT */
/* version.h - which version of git accelopt this is, for people and records. */
#ifndef AO_UTIL_VERSION_H
#define AO_UTIL_VERSION_H

/* "1.2.0" or what git describe said, as the Makefile gave it. */
const char *ao_version(void);

#endif
