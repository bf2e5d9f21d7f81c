/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <unistd.h>

#include "eval/build.h"
#include "eval/object.h"
#include "eval_task.h"
#include "util/file.h"

/* An object that exports `kernel`. */
static struct ao_buf object = { .ptr = ao_buf_empty, .max = 64 << 20 };

static bool exports(const char *name)
{
	bool found = false;

	must(ao_object_exports(&found, object.ptr, object.len, name));
	return found;
}

static void an_exported_function_is_found(void)
{
	EXPECT(exports("kernel"));
}

static void another_name_is_not(void)
{
	EXPECT(!exports("kerne"));
	EXPECT(!exports("kernel2"));
	EXPECT(!exports(""));
}

static void a_function_of_a_library_is_not_exported(void)
{
	EXPECT(!exports("expf"));
}

static void what_is_no_object_is_refused(void)
{
	bool found = false;

	EXPECT(code_of(ao_object_exports(&found, "", 0, "kernel")) ==
	       AO_EINVALID);
	EXPECT(code_of(ao_object_exports(&found, "int x;", 6, "kernel")) ==
	       AO_EINVALID);
}

static void a_cut_object_is_read_no_further_than_it_goes(void)
{
	/* At exactly its length, so that a sanitizer sees a step too far. */
	for (size_t len = 0; len < object.len; len += 7) {
		char *cut = ao_xmalloc(len);
		bool found = false;

		memcpy(cut, object.ptr, len);
		ao_error_free(ao_object_exports(&found, cut, len, "kernel"));
		free(cut);
	}
	EXPECT(object.len > 0);
}

static void an_object_with_odd_numbers_is_survived(void)
{
	char *copy = ao_xmalloc(object.len);

	for (size_t at = 0; at < 64; at++) {
		bool found = false;

		memcpy(copy, object.ptr, object.len);
		memset(copy + at, 0xff, at + 8 < object.len ? 8 : 1);
		ao_error_free(
			ao_object_exports(&found, copy, object.len, "kernel"));
	}
	free(copy);
	EXPECT(object.len > 64);
}

static void an_object_equals_itself_and_no_other(void)
{
	bool is_equal = false;

	must(ao_file_write("one.so", object.ptr, object.len));
	must(ao_file_write("two.so", object.ptr, object.len));
	must(ao_object_equals(&is_equal, "one.so", "two.so"));
	EXPECT(is_equal);
	object.ptr[object.len / 2] ^= 1;
	must(ao_file_write("two.so", object.ptr, object.len));
	object.ptr[object.len / 2] ^= 1;
	must(ao_object_equals(&is_equal, "one.so", "two.so"));
	EXPECT(!is_equal);
	must(ao_file_write("two.so", object.ptr, object.len - 1));
	is_equal = true;
	must(ao_object_equals(&is_equal, "one.so", "two.so"));
	EXPECT(!is_equal);
	EXPECT(code_of(ao_object_equals(&is_equal, "one.so", "none.so")) ==
	       AO_ENOTFOUND);
}

int main(void)
{
	struct ao_task *task = scale_task();
	struct ao_kernel kernel = make_kernel(
		"#include <math.h>\n"
		"void kernel(const float *x, const float *g, float *y)\n"
		"{ y[0] = expf(x[0]) + g[0]; }\n");
	struct ao_build build = { 0 };
	char *folder;

	must(ao_file_temp_folder(&folder));
	must(ao_build_kernel(&build, folder, task, &task->cases[0], &kernel,
			     60000));
	must(ao_file_read(&object, build.object));
	if (chdir(folder))
		return 1;
	RUN(an_exported_function_is_found);
	RUN(another_name_is_not);
	RUN(a_function_of_a_library_is_not_exported);
	RUN(what_is_no_object_is_refused);
	RUN(a_cut_object_is_read_no_further_than_it_goes);
	RUN(an_object_with_odd_numbers_is_survived);
	RUN(an_object_equals_itself_and_no_other);
	ao_build_release(&build);
	ao_kernel_release(&kernel);
	ao_task_free(task);
	ao_buf_release(&object);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
