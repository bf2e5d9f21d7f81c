/* SPDX-License-Identifier: MIT */
/* What a timed pair counts in a score. */
#include "util/base.h"

#include <math.h>

#include "evolve/attempt.h"
#include "tap.h"

static double gain_of(enum ao_decision decision, double log_gain,
		      double evidence)
{
	const struct ao_pair pair = {
		.decision = decision,
		.log_gain = log_gain,
		.log_low = log_gain - 0.02,
		.log_high = log_gain + 0.02,
		.evidence = evidence,
	};
	double gain, variance;

	ao_attempt_gain(&gain, &variance, &pair);
	EXPECT(variance > 0);
	return gain;
}

static void a_gain_counts_as_measured(void)
{
	EXPECT(gain_of(AO_DECISION_FASTER, 0.3, 150) == 0.3);
	EXPECT(gain_of(AO_DECISION_SLOWER, -0.3, 150) == -0.3);
}

static void a_tie_counts_nothing(void)
{
	EXPECT(gain_of(AO_DECISION_TIE, 0.004, 5) == 0);
	EXPECT(gain_of(AO_DECISION_TIE, -0.004, 5) == 0);
}

static void an_undecided_gain_counts_if_luck_has_it_less_often(void)
{
	EXPECT(gain_of(AO_DECISION_UNDECIDED, 0.03, 7.2) == 0.03);
	EXPECT(gain_of(AO_DECISION_UNDECIDED, 0.03, 1) == 0);
	EXPECT(gain_of(AO_DECISION_UNDECIDED, 0.03, 0.3) == 0);
}

static void an_undecided_loss_counts_as_measured(void)
{
	EXPECT(gain_of(AO_DECISION_UNDECIDED, -0.03, 0.3) == -0.03);
}

int main(void)
{
	RUN(a_gain_counts_as_measured);
	RUN(a_tie_counts_nothing);
	RUN(an_undecided_gain_counts_if_luck_has_it_less_often);
	RUN(an_undecided_loss_counts_as_measured);
	return tap_done();
}
