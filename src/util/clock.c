/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <time.h>

#include "util/clock.h"

static uint64_t read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t ao_clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t ao_clock_unix_ms(void)
{
	return (int64_t)(read_ns(CLOCK_REALTIME) / 1000000);
}

uint64_t ao_clock_cpu_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void ao_clock_sleep_ms(uint32_t ms)
{
	struct timespec left = { .tv_sec = ms / 1000,
				 .tv_nsec = (long)(ms % 1000) * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* The years that the four digits of our forms can tell. */
static const int64_t least_ms = -62167219200000; /* 0000-01-01T00:00:00Z */
static const int64_t most_ms = 253402300799999;	 /* 9999-12-31T23:59:59.999Z */

/* Break down `unix_ms`, brought into 0000..9999; returns the milliseconds. */
static int break_down(struct tm *tm_out, int64_t unix_ms)
{
	time_t seconds;
	int64_t ms;

	if (unix_ms < least_ms)
		unix_ms = least_ms;
	if (unix_ms > most_ms)
		unix_ms = most_ms;
	ms = (unix_ms % 1000 + 1000) % 1000; /* before 1970, too */
	seconds = (unix_ms - ms) / 1000;
	gmtime_r(&seconds, tm_out);
	return (int)ms;
}

/* Write `number` as `digits` decimal digits; returns what is behind them. */
static char *put(char *out, int number, int digits)
{
	for (int i = digits - 1; i >= 0; i--, number /= 10)
		out[i] = (char)('0' + number % 10);
	return out + digits;
}

void ao_clock_format(char out[AO_TIME_SIZE], int64_t unix_ms)
{
	struct tm tm;
	int ms = break_down(&tm, unix_ms);

	memcpy(out, "YYYY-MM-DDThh:mm:ss.mmmZ", AO_TIME_SIZE);
	put(out, tm.tm_year + 1900, 4);
	put(out + 5, tm.tm_mon + 1, 2);
	put(out + 8, tm.tm_mday, 2);
	put(out + 11, tm.tm_hour, 2);
	put(out + 14, tm.tm_min, 2);
	put(out + 17, tm.tm_sec, 2);
	put(out + 20, ms, 3);
}

void ao_clock_stamp(char out[AO_STAMP_SIZE], int64_t unix_ms)
{
	struct tm tm;

	break_down(&tm, unix_ms);
	out = put(out, tm.tm_year + 1900, 4);
	out = put(out, tm.tm_mon + 1, 2);
	out = put(out, tm.tm_mday, 2);
	*out++ = 'T';
	out = put(out, tm.tm_hour, 2);
	out = put(out, tm.tm_min, 2);
	out = put(out, tm.tm_sec, 2);
	*out = '\0';
}

static int digits_at(const char *text, int count)
{
	int number = 0;

	for (int i = 0; i < count; i++)
		number = number * 10 + (text[i] - '0');
	return number;
}

bool ao_clock_parse(int64_t *unix_ms_out, const char *text)
{
	static const char form[] = "0000-00-00T00:00:00.000Z";
	char again[AO_TIME_SIZE];
	int64_t unix_ms;
	struct tm tm;

	for (size_t i = 0; i < sizeof(form); i++) {
		bool is_digit = text[i] >= '0' && text[i] <= '9';

		if (form[i] == '0' ? !is_digit : text[i] != form[i])
			return false;
	}
	tm = (struct tm){
		.tm_year = digits_at(text, 4) - 1900,
		.tm_mon = digits_at(text + 5, 2) - 1,
		.tm_mday = digits_at(text + 8, 2),
		.tm_hour = digits_at(text + 11, 2),
		.tm_min = digits_at(text + 14, 2),
		.tm_sec = digits_at(text + 17, 2),
	};
	unix_ms = (int64_t)timegm(&tm) * 1000 + digits_at(text + 20, 3);
	/* timegm() takes a 31 February for a day in March: not what is said. */
	ao_clock_format(again, unix_ms);
	if (strcmp(again, text) != 0)
		return false;
	*unix_ms_out = unix_ms;
	return true;
}
