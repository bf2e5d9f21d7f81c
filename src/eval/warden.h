/* SPDX-License-Identifier: MIT */
/*
 * warden.h - the process that forks workers.
 *
 * It is this same program, started anew under another name: so nothing that
 * the judge has in memory, such as answers, seeds or keys, was ever in it or in
 * its workers.  warden.c looks for that name before main() and never returns
 * from there; whatever links the judge is able to be its warden.
 */
#ifndef AO_EVAL_WARDEN_H
#define AO_EVAL_WARDEN_H

/* The first argument of a program that is to be a warden. */
extern const char ao_warden_name[];

#endif
