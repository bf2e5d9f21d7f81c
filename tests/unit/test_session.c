/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/session.h"
#include "eval_task.h"
#include "util/file.h"

static struct ao_task *task;
static struct ao_session *session;

static const struct ao_build *build(const struct ao_task *of, size_t i,
				    const char *source)
{
	struct ao_kernel kernel = make_kernel(source);
	const struct ao_build *out = NULL;

	must(ao_session_build(&out, session, of, &of->cases[i], &kernel,
			      60000));
	ao_kernel_release(&kernel);
	return out;
}

static const struct ao_dataset *dataset(size_t i, uint64_t seed)
{
	const struct ao_dataset *out = NULL;

	must(ao_session_dataset(&out, session, task, &task->cases[i], seed));
	return out;
}

static void the_same_kernel_is_built_once(void)
{
	uint64_t before_ns;
	const struct ao_build *first = build(task, 0, scale_kernel);

	before_ns = ao_session_cpu(session)->compile_ns;
	EXPECT(before_ns > 0);
	EXPECT(build(task, 0, scale_kernel) == first);
	EXPECT(ao_session_cpu(session)->compile_ns == before_ns);
}

static void another_case_or_text_is_another_build(void)
{
	const struct ao_build *first = build(task, 0, scale_kernel);

	EXPECT(build(task, 1, scale_kernel) != first);
	EXPECT(build(task, 0, "void kernel(void) { }\n") != first);
}

static void one_build_of_a_generic_task_serves_all_cases(void)
{
	struct ao_task *generic = scale_task();

	generic->is_generic = true;
	EXPECT(build(generic, 0, "void kernel(void) { }\n") ==
	       build(generic, 1, "void kernel(void) { }\n"));
	ao_task_free(generic);
}

static void the_same_inputs_are_drawn_once(void)
{
	const struct ao_dataset *first = dataset(2, 7);
	uint64_t reference_ns = ao_session_cpu(session)->reference_ns;

	EXPECT(reference_ns > 0);
	EXPECT(dataset(2, 7) == first);
	EXPECT(ao_session_cpu(session)->reference_ns == reference_ns);
	EXPECT(dataset(2, 8) != first);
}

static void there_are_sets_for_a_warm_up_and_each_call_of_a_sample(void)
{
	/* Small inputs are soon drawn, and their kernels called often. */
	EXPECT(dataset(2, 7)->count == 64);
	EXPECT(dataset(0, 7)->count >= 5);
	EXPECT(dataset(0, 7)->count < 64);
}

static void a_dataset_outlives_the_task_it_was_made_for(void)
{
	struct ao_task *passing = scale_task();
	const struct ao_dataset *data = NULL;

	must(ao_session_dataset(&data, session, passing, &passing->cases[2],
				9));
	ao_task_free(passing);
	EXPECT(!strcmp(data->c->name, "odd"));
	EXPECT(!strcmp(data->task->name, "scale"));
}

static void what_did_not_build_is_dropped_and_the_rest_is_kept(void)
{
	const struct ao_build *good = build(task, 0, scale_kernel);
	uint64_t before_ns;

	EXPECT(build(task, 0, "x\n")->verdict == AO_VERDICT_COMPILE_ERROR);
	ao_session_trim(session);
	before_ns = ao_session_cpu(session)->compile_ns;
	EXPECT(build(task, 0, scale_kernel) == good);
	EXPECT(ao_session_cpu(session)->compile_ns == before_ns);
	build(task, 0, "x\n");
	EXPECT(ao_session_cpu(session)->compile_ns > before_ns);
}

static void what_is_used_least_lately_is_dropped_first(void)
{
	const struct ao_build *old = build(task, 0, scale_kernel);
	char *path = ao_xstrdup(old->object);
	const struct ao_build *last = NULL;

	for (int i = 0; i < 66; i++) {
		char *source = ao_xstrf("// cflags: -O0\n"
					"void kernel(void) { }\nint x%d;\n",
					i);

		last = build(task, 0, source);
		free(source);
	}
	ao_session_trim(session);
	EXPECT(!ao_file_exists(path));
	EXPECT(ao_file_exists(last->object));
	free(path);
}

static void nothing_is_left_behind(void)
{
	struct ao_session *other = NULL;
	char *folder;

	must(ao_session_new(&other));
	folder = ao_xstrdup(ao_session_folder(other));
	EXPECT(ao_file_exists(folder));
	ao_session_free(other);
	EXPECT(!ao_file_exists(folder));
	free(folder);
}

int main(void)
{
	task = scale_task();
	must(ao_session_new(&session));
	RUN(the_same_kernel_is_built_once);
	RUN(another_case_or_text_is_another_build);
	RUN(one_build_of_a_generic_task_serves_all_cases);
	RUN(the_same_inputs_are_drawn_once);
	RUN(there_are_sets_for_a_warm_up_and_each_call_of_a_sample);
	RUN(a_dataset_outlives_the_task_it_was_made_for);
	RUN(what_did_not_build_is_dropped_and_the_rest_is_kept);
	RUN(what_is_used_least_lately_is_dropped_first);
	RUN(nothing_is_left_behind);
	ao_session_free(session);
	ao_task_free(task);
	return tap_done();
}
