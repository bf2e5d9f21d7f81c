/* SPDX-License-Identifier: MIT */
/*
 * trial_rules.h - the rules by which verdicts and decisions come about.
 *
 * Results under different rules are never mixed: count AO_TRIAL_RULES up with
 * every change to what passes or how it is timed.
 */
#ifndef AO_EVAL_TRIAL_RULES_H
#define AO_EVAL_TRIAL_RULES_H

#include "eval/request.h"
#include "eval/timing.h"

enum {
	AO_TRIAL_RULES = 5,
	AO_TRIAL_CHECK_CALLS = 4,   /* of a case, each about another set */
	AO_TRIAL_HIDDEN_SHAPES = 2, /* at most; each costs a build */
	AO_TRIAL_ROUGH_CALLS = 7,   /* for a time without an opponent */
	AO_TRIAL_SCREEN_UNITS = 8,  /* on the main case, at most */
	AO_TRIAL_FULL_UNITS = 60,   /* the same, of a would-be best */
	AO_TRIAL_OTHER_UNITS = 16,  /* on each other case */
	AO_TRIAL_CONTROL_UNITS = 8, /* of a kernel against itself */
};

/*
 * When the timing of a pair ends.
 *
 * Screening and confirming look for gains, and most candidates have none: a
 * few units that are no faster end them.  Screening gives up one in a hundred
 * of those that gain 3 % that way, and decides in 3 to 5 units about a tie.
 * Confirming looks on other cases for losses alone.  A full timing has to say
 * what is true, either way.
 */
struct ao_timing_rules ao_trial_timing_rules(enum ao_stage stage,
					     bool is_main_case);

/*
 * When the timing of a kernel against itself ends: as soon as both could not be
 * told apart any more, which takes three units on average where all is well.
 */
struct ao_timing_rules ao_trial_control_rules(void);

/* How long a call may take where the reference takes so long. */
uint32_t ao_trial_call_timeout_ms(double reference_ms);

#endif
