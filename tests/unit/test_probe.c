/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "eval/ceilings.h"
#include "eval/probe.h"
#include "eval_task.h"
#include "util/file.h"

static char *home;

/* So short that it measures next to nothing, but everything. */
static const struct ao_probe_options quick = { false, 5 };
static const struct ao_probe_options quick_again = { true, 5 };

static struct ao_machine peaks(const struct ao_probe_options *options)
{
	struct ao_machine machine = { 0 };

	must(ao_probe_peaks_with(&machine, options));
	return machine;
}

/* The one file of the cache. */
static char *cache_file(void)
{
	char *folder = ao_xstrf("%s/git-accelopt", home);
	struct ao_strs names = { 0 };
	char *path = NULL;

	must(ao_file_list(&names, folder));
	EXPECT(names.count == 1);
	if (names.count)
		path = ao_xstrf("%s/%s", folder, names.v[0]);
	ao_strs_release(&names);
	free(folder);
	return path;
}

static void a_machine_is_described(void)
{
	struct ao_machine machine = { 0 };

	must(ao_probe_machine(&machine));
	EXPECT(strlen(machine.fingerprint) == AO_ID_SIZE - 1);
	EXPECT(machine.cpu && *machine.cpu);
	EXPECT(machine.compiler && strchr(machine.compiler, ' '));
	EXPECT(machine.sandbox && *machine.sandbox);
	EXPECT(machine.cores >= 1);
	EXPECT(!machine.ceilings.bandwidth_count);
	ao_machine_release(&machine);
}

static void the_fingerprint_stays_the_same(void)
{
	struct ao_machine a = { 0 }, b = { 0 };

	must(ao_probe_machine(&a));
	must(ao_probe_machine(&b));
	EXPECT(!strcmp(a.fingerprint, b.fingerprint));
	ao_machine_release(&a);
	ao_machine_release(&b);
}

static void no_compiler_is_an_error_that_says_what_to_install(void)
{
	char *path = ao_xstrdup(getenv("PATH"));
	struct ao_machine machine = { 0 };
	struct ao_error *err;

	setenv("PATH", "/nowhere", 1);
	err = ao_probe_machine(&machine);
	setenv("PATH", path, 1);
	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	EXPECT(tells(err, "install gcc or clang"));
	free(path);
}

static void ceilings_are_measured_once(void)
{
	struct ao_machine first = peaks(&quick);
	struct ao_machine second = peaks(&quick);

	EXPECT(ao_ceilings_are_complete(&first.ceilings));
	/* Two measurements are never equal to the last bit. */
	EXPECT(!memcmp(first.ceilings.work_per_s, second.ceilings.work_per_s,
		       sizeof(first.ceilings.work_per_s)));
	EXPECT(!memcmp(first.ceilings.bandwidth, second.ceilings.bandwidth,
		       sizeof(first.ceilings.bandwidth)));
	ao_machine_release(&first);
	ao_machine_release(&second);
}

static void measuring_again_keeps_the_best_ever_seen(void)
{
	struct ao_machine machine = peaks(&quick);
	struct ao_buf text = AO_BUF_INIT(1 << 20);
	char *path = cache_file();
	struct ao_machine again;
	struct ao_json *json;

	/* A day on which the machine did better than it will today. */
	machine.ceilings.work_per_s[AO_WORK_FMA] *= 100;
	json = ao_machine_to_json(&machine, true);
	ao_json_print(&text, json, false);
	must(ao_file_write(path, text.ptr, text.len));
	again = peaks(&quick_again);
	EXPECT(again.ceilings.work_per_s[AO_WORK_FMA] ==
	       machine.ceilings.work_per_s[AO_WORK_FMA]);
	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		EXPECT(again.ceilings.work_per_s[i] >=
		       machine.ceilings.work_per_s[i]);
	ao_json_free(json);
	ao_buf_release(&text);
	ao_machine_release(&machine);
	ao_machine_release(&again);
	free(path);
}

static void ceilings_of_another_version_are_not_taken(void)
{
	struct ao_machine machine = peaks(&quick);
	double fma_per_s = 100 * machine.ceilings.work_per_s[AO_WORK_FMA];
	char *path = cache_file();
	char *other = ao_xstrf("%s/git-accelopt/ceilings-%d-%s.json", home,
			       AO_PEAK_MODEL - 1, machine.fingerprint);
	struct ao_buf text = AO_BUF_INIT(1 << 20);
	struct ao_json *json;

	machine.ceilings.work_per_s[AO_WORK_FMA] = fma_per_s;
	json = ao_machine_to_json(&machine, true);
	ao_json_print(&text, json, false);
	must(ao_file_write(other, text.ptr, text.len));
	EXPECT(!unlink(path));
	ao_machine_release(&machine);
	machine = peaks(&quick);
	EXPECT(machine.ceilings.work_per_s[AO_WORK_FMA] < fma_per_s);
	EXPECT(ao_file_exists(path));
	EXPECT(!unlink(other));
	ao_json_free(json);
	ao_buf_release(&text);
	ao_machine_release(&machine);
	free(other);
	free(path);
}

static void a_damaged_cache_is_made_anew(void)
{
	static const char *const texts[] = { "", "garbage", "[]",
					     "{\"work_per_s\":{\"fma\":1}}",
					     "{\"bandwidth\":7}" };
	char *path = cache_file();

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++) {
		struct ao_machine machine;

		must(ao_file_write(path, texts[i], strlen(texts[i])));
		machine = peaks(&quick);
		EXPECT(ao_ceilings_are_complete(&machine.ceilings));
		ao_machine_release(&machine);
	}
	free(path);
}

static void a_cache_that_cannot_be_is_done_without(void)
{
	struct ao_machine machine;

	setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
	machine = peaks(&quick);
	setenv("XDG_CACHE_HOME", home, 1);
	EXPECT(ao_ceilings_are_complete(&machine.ceilings));
	ao_machine_release(&machine);
}

int main(void)
{
	must(ao_file_temp_folder(&home));
	setenv("XDG_CACHE_HOME", home, 1);
	RUN(a_machine_is_described);
	RUN(the_fingerprint_stays_the_same);
	RUN(no_compiler_is_an_error_that_says_what_to_install);
	RUN(ceilings_are_measured_once);
	RUN(measuring_again_keeps_the_best_ever_seen);
	RUN(ceilings_of_another_version_are_not_taken);
	RUN(a_damaged_cache_is_made_anew);
	RUN(a_cache_that_cannot_be_is_done_without);
	ao_file_remove_tree(home);
	free(home);
	return tap_done();
}
