/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <unistd.h>

#include "eval/cachegrind.h"
#include "eval/cage.h"
#include "eval_task.h"
#include "util/file.h"
#include "util/spawn.h"

/* As valgrind 3.19 writes it, shortened. */
static const char report[] =
	"desc: I1 cache:         32768 B, 64 B, 8-way associative\n"
	"cmd: ./cachegrind.main call\n"
	"events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\n"
	"fl=kernel.c\n"
	"fn=kernel\n"
	"4 1200 1 1 300 20 3 100 7 2\n"
	"summary: 1200 1 1 300 20 3 100 7 2\n";

static struct ao_task *task;
static char *folder;

static bool has_valgrind(void)
{
	char *path = ao_spawn_find("valgrind");

	free(path);
	return path != NULL;
}

static struct ao_counts counts_of(const char *source)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_counts counts = { 0 };

	must(ao_cachegrind_count(&counts, folder, task, &task->cases[0],
				 &kernel, 60000));
	ao_kernel_release(&kernel);
	return counts;
}

static void the_totals_are_read(void)
{
	struct ao_counts counts = { 0 };

	EXPECT(ao_cachegrind_read(&counts, report, strlen(report)));
	EXPECT(counts.instructions > 1199 && counts.instructions < 1201);
	EXPECT(counts.reads > 299 && counts.reads < 301);
	EXPECT(counts.writes > 99 && counts.writes < 101);
	EXPECT(counts.first_misses > 26 && counts.first_misses < 28);
	EXPECT(counts.last_misses > 4 && counts.last_misses < 6);
	ao_counts_release(&counts);
}

static void a_report_that_is_cut_tells_nothing(void)
{
	for (size_t len = 0; len + 1 < strlen(report); len++) {
		struct ao_counts counts = { 0 };
		bool is_read = ao_cachegrind_read(&counts, report, len);

		EXPECT(!is_read && !ao_counts_are_known(&counts));
	}
}

static void counts_are_the_same_each_time(void)
{
	struct ao_counts a, b;

	if (!has_valgrind()) {
		SKIP("valgrind is not installed");
		return;
	}
	a = counts_of(scale_kernel);
	b = counts_of(scale_kernel);
	EXPECT(a.instructions > 1000 && !a.missing);
	EXPECT(a.instructions >= a.reads && a.reads > 1000 && a.writes > 1000);
	EXPECT(a.first_misses > 1000);
	EXPECT(!memcmp(&a, &b, sizeof(a)));
	ao_counts_release(&a);
	ao_counts_release(&b);
}

static void scalars_take_more_instructions_than_vectors(void)
{
	struct ao_counts vectors, scalars;

	if (!has_valgrind()) {
		SKIP("valgrind is not installed");
		return;
	}
	vectors = counts_of(scale_kernel);
	scalars = counts_of(
		"void kernel(const float *restrict x,"
		" const float *restrict g, float *restrict y)\n"
		"{\n"
		"	for (int i = 0; i < M * N; i++) {\n"
		"		__asm__ volatile(\"\");\n"
		"		y[i] = (float)FACTOR * x[i] * g[i % N];\n"
		"	}\n"
		"}\n");
	EXPECT(scalars.instructions > 2 * vectors.instructions);
	ao_counts_release(&vectors);
	ao_counts_release(&scalars);
}

static void a_kernel_that_crashes_there_is_told_of(void)
{
	struct ao_counts counts;

	if (!has_valgrind()) {
		SKIP("valgrind is not installed");
		return;
	}
	counts = counts_of("void kernel(void) { __builtin_trap(); }\n");
	EXPECT(!(counts.instructions > 0) && counts.missing);
	ao_counts_release(&counts);
	counts = counts_of("void kernel(void) { x; }\n");
	EXPECT(!(counts.instructions > 0) && counts.missing &&
	       strstr(counts.missing, "does not build"));
	ao_counts_release(&counts);
}

/* From here on there is nothing that keeps files from what is run. */
static void a_kernel_that_could_read_files_is_not_run(void)
{
	struct ao_counts counts;

	if (!has_valgrind()) {
		SKIP("valgrind is not installed");
		return;
	}
	ao_cage_settle_for(AO_ISOLATION_NONE, "this test asks for it");
	counts = counts_of(scale_kernel);
	EXPECT(!(counts.instructions > 0) && counts.missing &&
	       strstr(counts.missing, "keeps files") &&
	       strstr(counts.missing, "this test asks for it"));
	ao_counts_release(&counts);
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	task = scale_task();
	RUN(the_totals_are_read);
	RUN(a_report_that_is_cut_tells_nothing);
	RUN(counts_are_the_same_each_time);
	RUN(scalars_take_more_instructions_than_vectors);
	RUN(a_kernel_that_crashes_there_is_told_of);
	RUN(a_kernel_that_could_read_files_is_not_run);
	ao_task_free(task);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
