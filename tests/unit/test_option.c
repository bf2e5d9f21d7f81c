/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/option.h"

#include "tap.h"

static uint32_t count;
static double number;
static uint64_t seed;
static uint32_t seconds;
static const char *string;
static bool flag;

static struct ao_option beam, threshold, random_seed, limit;

static void make_options(void)
{
	beam = AO_COUNT('b', "beam", &count, 1, 64, "accelopt.beam", "n",
			"carry <n> candidates");
	threshold = AO_NUMBER(0, "threshold", &number, 1, 100, NULL, "x",
			      "learn above <x>");
	random_seed = AO_SEED(0, "seed", &seed, NULL, "n", "draw from <n>");
	limit = AO_TIME(0, "max-time", &seconds, NULL, "time", "end");
}

static void a_count_is_a_whole_number_within_its_range(void)
{
	EXPECT(ao_option_store(&beam, "1") && count == 1);
	EXPECT(ao_option_store(&beam, "64") && count == 64);
	count = 7;
	EXPECT(!ao_option_store(&beam, "0"));
	EXPECT(!ao_option_store(&beam, "65"));
	EXPECT(!ao_option_store(&beam, "-1"));
	EXPECT(!ao_option_store(&beam, "3.5"));
	EXPECT(!ao_option_store(&beam, ""));
	EXPECT(!ao_option_store(&beam, "4x"));
	EXPECT(!ao_option_store(&beam, "99999999999999999999"));
	EXPECT(count == 7);
}

static void a_number_may_have_a_fraction(void)
{
	EXPECT(ao_option_store(&threshold, "1.04") && number > 1.039 &&
	       number < 1.041);
	EXPECT(!ao_option_store(&threshold, "0.99"));
	EXPECT(!ao_option_store(&threshold, "nan"));
	EXPECT(!ao_option_store(&threshold, "inf"));
}

static void a_seed_has_all_64_bits(void)
{
	EXPECT(ao_option_store(&random_seed, "18446744073709551615") &&
	       seed == UINT64_MAX);
	EXPECT(ao_option_store(&random_seed, "0") && seed == 0);
	EXPECT(!ao_option_store(&random_seed, "18446744073709551616"));
	EXPECT(!ao_option_store(&random_seed, "-1"));
	EXPECT(!ao_option_store(&random_seed, " 1"));
	EXPECT(!ao_option_store(&random_seed, "0x10"));
}

static void a_time_has_a_unit_or_is_in_seconds(void)
{
	EXPECT(ao_option_store(&limit, "90") && seconds == 90);
	EXPECT(ao_option_store(&limit, "90s") && seconds == 90);
	EXPECT(ao_option_store(&limit, "15m") && seconds == 900);
	EXPECT(ao_option_store(&limit, "2h") && seconds == 7200);
	EXPECT(ao_option_store(&limit, "1d") && seconds == 86400);
	EXPECT(ao_option_store(&limit, "365d"));
	EXPECT(!ao_option_store(&limit, "366d"));
	EXPECT(!ao_option_store(&limit, "s"));
	EXPECT(!ao_option_store(&limit, ""));
	EXPECT(!ao_option_store(&limit, "1w"));
	EXPECT(!ao_option_store(&limit, "-5m"));
}

static bool takes(const struct ao_option *option, const char *expected)
{
	char *text = ao_option_takes(option);
	bool is_same = strcmp(text, expected) == 0;

	free(text);
	return is_same;
}

static void a_complaint_can_name_the_range(void)
{
	EXPECT(takes(&beam, "a whole number from 1 to 64"));
	EXPECT(takes(&threshold, "a number from 1 to 100"));
}

static bool reads_back(const struct ao_option *option, const char *text)
{
	char *again;
	bool is_same;

	if (!ao_option_store(option, text))
		return false;
	again = ao_option_text(option);
	is_same = again && strcmp(again, text) == 0;
	free(again);
	return is_same;
}

static void a_value_is_written_as_it_is_read(void)
{
	EXPECT(reads_back(&beam, "12"));
	EXPECT(reads_back(&threshold, "1.04"));
	EXPECT(reads_back(&random_seed, "18446744073709551615"));
	EXPECT(reads_back(&limit, "90"));
}

/* What a printing function printed; the caller frees it. */
static char *printed(void (*print)(FILE *out, const struct ao_option *table))
{
	const struct ao_option table[] = {
		AO_FLAG('q', "quiet", &flag, "say less"),
		AO_COUNT('b', "beam", &count, 1, 64, NULL, "n", "carry <n>"),
		AO_MAYBE(0, "resume", &string, "run", "go on"),
		AO_STRING(0, "a-name-that-is-long", &string, NULL, "text",
			  "stands alone"),
		AO_END,
	};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		abort();
	print(out, table);
	fclose(out);
	return text;
}

static void help_stands_in_one_column(void)
{
	char *text = printed(ao_option_help);

	EXPECT(strcmp(text, "    -q, --quiet             say less\n"
			    "    -b, --beam <n>          carry <n>\n"
			    "    --resume[=<run>]        go on\n"
			    "    --a-name-that-is-long <text>\n"
			    "                            stands alone\n") == 0);
	free(text);
}

static void completion_gets_names_and_what_can_be_taken_back(void)
{
	char *text = printed(ao_option_names);

	EXPECT(strcmp(text, "--quiet --beam= --resume --a-name-that-is-long= "
			    "-- --no-quiet --no-resume "
			    "--no-a-name-that-is-long \n") == 0);
	free(text);
}

int main(void)
{
	make_options();
	RUN(a_count_is_a_whole_number_within_its_range);
	RUN(a_number_may_have_a_fraction);
	RUN(a_seed_has_all_64_bits);
	RUN(a_time_has_a_unit_or_is_in_seconds);
	RUN(a_complaint_can_name_the_range);
	RUN(a_value_is_written_as_it_is_read);
	RUN(help_stands_in_one_column);
	RUN(completion_gets_names_and_what_can_be_taken_back);
	return tap_done();
}
