/* SPDX-License-Identifier: MIT */
/*
 * What the catalogue makes of the suite's kernels, for other machines than this
 * one: compiled for each, without a warning, and run here in vectors of other
 * sizes, which compilers then split.  What this machine cannot run is only
 * compiled.
 */
#include "tap.h"

#include "movebox.h"

#include "agents/task_context.h"
#include "eval/compile.h"
#include "eval/flags.h"
#include "model/task.h"
#include "util/text.h"

static const char suite[] = "nkibench/tasks";

/* A machine to compile for. */
struct target {
	const char *compiler;
	const char *flags;
	uint32_t vector_bytes;
};

/*
 * Of AArch64 there is a compiler, but no C library here: the kernels need no
 * more of it than this.
 */
#define NEON_FLAGS "--target=aarch64-linux-gnu -nostdlibinc -isystem include"
static const char math_header[] = "float expf(float);\n"
				  "float sqrtf(float);\n"
				  "float fmaxf(float, float);\n";

static const struct target sse2[] = { { "gcc", "-msse2", 16 },
				      { "clang", "-msse2", 16 } };
static const struct target avx2[] = { { "gcc", "-mavx2 -mfma", 32 },
				      { "clang", "-mavx2 -mfma", 32 } };
static const struct target avx512[] = { { "gcc", "-march=skylake-avx512", 64 },
					{ "clang", "-march=skylake-avx512",
					  64 } };
static const struct target neon[] = { { "clang", NEON_FLAGS, 16 } };

static char *folder; /* where all is compiled */

/* A task of the suite, its kernel, and the catalogue's view of it. */
struct work {
	struct ao_task *task;
	struct ao_buf kernel;
	struct ao_task_context context;
};

static void work_open(struct work *work, const char *name)
{
	char *json = ao_xstrf("%s/%s/task.json", suite, name);
	char *source = ao_xstrf("%s/%s/kernel.c", suite, name);
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);

	*work = (struct work){ .kernel = AO_BUF_INIT(AO_MAX_KERNEL_BYTES) };
	box_must(ao_file_read(&text, json));
	box_must(ao_task_parse(&work->task, json, text.ptr, text.len));
	box_must(ao_file_read(&work->kernel, source));
	ao_task_context_init(&work->context, work->task, 0);
	ao_buf_release(&text);
	free(source);
	free(json);
}

static void work_close(struct work *work)
{
	ao_task_context_release(&work->context);
	ao_task_free(work->task);
	ao_buf_release(&work->kernel);
}

/* Moves whose text is much the same whatever they are applied to. */
static bool is_minor(const char *move)
{
	return !strcmp(move, "flag") || !strcmp(move, "unroll") ||
	       !strcmp(move, "jam");
}

/* The text after the move that promises most, or NULL; `text` is freed. */
static char *next_step(char *text, const struct ao_rewrite_context *context,
		       struct ao_strs *done)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_proposal *v;
	size_t count, best = SIZE_MAX;

	ao_catalogue_propose(&v, &count, text, strlen(text), context, false);
	for (size_t i = 0; i < count; i++) {
		char *step = ao_xstrf("%s %s", v[i].move, v[i].params);

		if ((!is_minor(v[i].move) ||
		     ao_text_starts_with(step, "flag flag=-f")) &&
		    (best == SIZE_MAX || v[i].prior > v[best].prior) &&
		    !ao_strs_has(done, step))
			best = i;
		free(step);
	}
	if (best != SIZE_MAX) {
		ao_strs_pushf(done, "%s %s", v[best].move, v[best].params);
		EXPECT(ao_catalogue_apply(&out, text, strlen(text), context,
					  v[best].move, v[best].params));
	}
	ao_proposals_free(v, count);
	free(text);
	if (out.len)
		return ao_buf_take(&out);
	ao_buf_release(&out);
	return NULL;
}

/* All that the catalogue would do without measuring, one after the other. */
static char *chain_of(struct work *work, uint32_t vector_bytes)
{
	struct ao_strs done = { 0 };
	char *text = ao_xstrdup(work->kernel.ptr), *last = NULL;

	work->context.rewrite.vector_bytes = vector_bytes;
	for (int step = 0; text && step < 8; step++) {
		free(last);
		last = ao_xstrdup(text);
		text = next_step(text, &work->context.rewrite, &done);
	}
	free(text);
	ao_strs_release(&done);
	return last;
}

/* The command that compiles for a machine, up to the input. */
static void add_command(struct ao_strs *argv, const struct target *target,
			const struct ao_task *task, const struct ao_case *c,
			const char *source)
{
	struct ao_flags asked = { 0 };
	char *why = ao_flags_read(&asked, source, strlen(source), false);

	EXPECT(!why);
	free(why);
	ao_strs_push(argv, target->compiler);
	ao_strs_split(argv, "-std=gnu11 -fopenmp-simd -Wall -Wextra -Werror");
	/* Not to vectorise a loop is a compiler's right. */
	if (!strcmp(target->compiler, "clang"))
		ao_strs_push(argv, "-Wno-pass-failed");
	ao_strs_split(argv, target->flags);
	for (size_t i = 0; i < asked.words.count; i++)
		ao_strs_push(argv, asked.words.v[i]);
	ao_compile_add_macros(argv, task, c);
	ao_flags_release(&asked);
}

static bool run(const struct ao_strs *argv)
{
	const char **v = ao_xcalloc(argv->count + 1, sizeof(*v));
	bool passed;

	for (size_t i = 0; i < argv->count; i++)
		v[i] = argv->v[i];
	passed = box_run(folder, v);
	free(v);
	return passed;
}

/* Whether a text compiles for a machine, at -O0, -O1, ... */
static bool compiles(const struct target *target, const struct work *work,
		     const char *level, const char *source)
{
	struct ao_strs argv = { 0 };
	bool passed;

	box_write(folder, "kernel.c", source);
	add_command(&argv, target, work->task, &work->task->cases[0], source);
	ao_strs_push(&argv, level);
	ao_strs_split(&argv, "-S -o kernel.s kernel.c");
	passed = run(&argv);
	if (!passed)
		printf("# %s, by %s %s\n", work->task->name, target->compiler,
		       target->flags);
	ao_strs_release(&argv);
	return passed;
}

/* Whether there is such a compiler for such a machine. */
static bool is_there(const struct target *target)
{
	struct ao_strs argv = { 0 };
	bool passed = box_has(target->compiler);

	if (passed) {
		box_write(folder, "probe.c", "int x;\n");
		ao_strs_push(&argv, target->compiler);
		ao_strs_split(&argv, target->flags);
		ao_strs_split(&argv, "-c -o probe.o probe.c");
		passed = run(&argv);
	}
	if (!passed)
		printf("# not checked: %s %s\n", target->compiler,
		       target->flags);
	ao_strs_release(&argv);
	return passed;
}

/* Each kind of move, where the suite has its first use. */
static void check_moves(const struct target *target, struct work *work,
			struct ao_strs *seen)
{
	const char *text = work->kernel.ptr;
	struct ao_proposal *v;
	size_t count;

	work->context.rewrite.vector_bytes = target->vector_bytes;
	ao_catalogue_propose(&v, &count, text, strlen(text),
			     &work->context.rewrite, false);
	for (size_t i = 0; i < count; i++) {
		struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

		if (ao_strs_has(seen, v[i].move))
			continue;
		ao_strs_push(seen, v[i].move);
		EXPECT(ao_catalogue_apply(&out, text, strlen(text),
					  &work->context.rewrite, v[i].move,
					  v[i].params));
		if (!compiles(target, work, "-O0", out.ptr)) {
			printf("# %s %s\n", v[i].move, v[i].params);
			EXPECT(!"it compiles");
		}
		ao_buf_release(&out);
	}
	ao_proposals_free(v, count);
}

/*
 * The compilers of a machine take turns: one has the chain, one the moves, for
 * machines with the smallest vectors: others see the same text.
 */
static void check_suite(const struct target *targets, size_t count)
{
	struct ao_strs names = { 0 }, seen = { 0 };
	bool has[2] = { false };

	for (size_t i = 0; i < count; i++)
		has[i] = is_there(&targets[i]);
	if (!has[0] && !has[1])
		SKIP("no compiler for these vectors");
	box_must(ao_file_list(&names, suite));
	EXPECT(names.count == 14);
	for (size_t i = 0; i < names.count; i++) {
		size_t turn = i % count;
		struct work work;
		char *chain;

		work_open(&work, names.v[i]);
		chain = chain_of(&work, targets[turn].vector_bytes);
		EXPECT(strcmp(chain, work.kernel.ptr) != 0);
		if (has[turn])
			EXPECT(compiles(&targets[turn], &work, "-O1", chain));
		turn = count - 1 - turn;
		if (has[turn] && targets[turn].vector_bytes == 16)
			check_moves(&targets[turn], &work, &seen);
		work_close(&work);
		free(chain);
	}
	ao_strs_release(&seen);
	ao_strs_release(&names);
}

static void all_kernels_compile_for_sse2(void)
{
	check_suite(sse2, AO_ARRAY_SIZE(sse2));
}

static void all_kernels_compile_for_avx2(void)
{
	check_suite(avx2, AO_ARRAY_SIZE(avx2));
}

static void all_kernels_compile_for_avx512(void)
{
	check_suite(avx512, AO_ARRAY_SIZE(avx512));
}

static void all_kernels_compile_for_neon(void)
{
	check_suite(neon, AO_ARRAY_SIZE(neon));
}

/* How many lines of kernel.s have both. */
static size_t count_lines(const char *instruction, const char *operand)
{
	char *path = ao_xstrf("%s/kernel.s", folder), *rest;
	struct ao_buf text = AO_BUF_INIT(16 << 20);
	size_t count = 0;

	box_must(ao_file_read(&text, path));
	for (char *line = strtok_r(text.ptr, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		count += strstr(line, instruction) && strstr(line, operand);
	ao_buf_release(&text);
	free(path);
	return count;
}

/*
 * Whether the sums of a tiled product are whole vectors of the machine: an
 * instruction for each of the tile, and none that has a part of one.
 */
static bool tile_fills(const struct target *target, const char *instruction,
		       const char *whole, const char *part)
{
	struct work work;
	char *chain;
	bool fills = true;

	if (!is_there(target)) {
		SKIP("no compiler for these vectors");
		return true;
	}
	work_open(&work, "matmul");
	chain = chain_of(&work, target->vector_bytes);
	fills = compiles(target, &work, "-O2", chain) &&
		count_lines(instruction, whole) >= 12 &&
		(!part || !count_lines(instruction, part));
	if (!fills)
		printf("# %s: %zu x %s, %s\n", target->compiler,
		       count_lines(instruction, whole), instruction, whole);
	free(chain);
	work_close(&work);
	return fills;
}

static void a_tile_fills_the_registers_of_each_machine(void)
{
	for (size_t i = 0; i < 2; i++) {
		EXPECT(tile_fills(&sse2[i], "mulps", "xmm", NULL));
		EXPECT(tile_fills(&avx2[i], "vfmadd", "ymm", "xmm"));
		EXPECT(tile_fills(&avx512[i], "vfmadd", "zmm", "ymm"));
	}
	EXPECT(tile_fills(&neon[0], "fmla", ".4s", NULL));
}

/* A small case: extents that the suite has, but no more than `most`. */
static void shrink(const struct ao_task *task, struct ao_case *c, int64_t most)
{
	for (size_t i = 0; i < task->axis_count; i++) {
		double value = (double)c->extents[i];

		if (task->axes[i].expression)
			box_must(ao_task_eval(&value, task, i, c->extents,
					      task->axes[i].expression));
		c->extents[i] = (int64_t)value;
		if (!task->axes[i].expression && c->extents[i] > most)
			c->extents[i] = most;
	}
}

static const char run_head[] =
	"#include <math.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#define kernel kernel_before\n"
	"#include \"before.c\"\n"
	"#undef kernel\n"
	"#define kernel kernel_after\n"
	"#include \"after.c\"\n"
	"#undef kernel\n"
	"static void *make(size_t count, char kind, unsigned seed)\n"
	"{\n"
	"\tfloat *x = aligned_alloc(64, (count * 4 + 63) / 64 * 64);\n"
	"\tfor (size_t i = 0; i < count; i++) {\n"
	"\t\tseed = seed * 1664525u + 1013904223u;\n"
	"\t\tx[i] = kind == 'o' ? NAN : (int)(seed >> 8) * 0x1p-23f - 1.0f;\n"
	"\t\tx[i] = kind == 'a' ? fabsf(x[i]) : x[i];\n"
	"\t}\n"
	"\treturn x;\n"
	"}\n"
	"static int differ(const float *a, const float *b, size_t count)\n"
	"{\n"
	"\tdouble d = 0, s = 0;\n"
	"\tfor (size_t i = 0; i < count; i++) {\n"
	"\t\td += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);\n"
	"\t\ts += (double)a[i] * a[i];\n"
	"\t}\n"
	"\tif (!(sqrt(d) <= 1e-5 * sqrt(s)))\n"
	"\t\tprintf(\"error %g\\n\", sqrt(d / s));\n"
	"\treturn !(sqrt(d) <= 1e-5 * sqrt(s));\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"\tint failed = 0;\n";

/* Both kernels on the same inputs, each with outputs of its own. */
static char *run_driver(const struct ao_task *task, const struct ao_case *c)
{
	struct ao_buf out = AO_BUF_INIT(64 << 10);
	struct ao_buf call = AO_BUF_INIT(4096), other = AO_BUF_INIT(4096);

	ao_buf_addstr(&out, run_head);
	for (size_t i = 0; task->is_generic && i < task->axis_count; i++) {
		ao_buf_addf(&call, "%" PRId64 ", ", c->extents[i]);
		ao_buf_addf(&other, "%" PRId64 ", ", c->extents[i]);
	}
	for (size_t i = 0; i < task->input_count; i++) {
		const struct ao_tensor *in = &task->inputs[i];

		ao_buf_addf(&out, "\tvoid *in%zu = make(%zu, '%c', %zu);\n", i,
			    ao_tensor_elements(in, c),
			    in->fill == AO_FILL_ABS_NORMAL ? 'a' : 'i', i);
		ao_buf_addf(&call, "in%zu, ", i);
		ao_buf_addf(&other, "in%zu, ", i);
	}
	for (size_t i = 0; i < task->output_count; i++) {
		size_t count = ao_tensor_elements(&task->outputs[i], c);

		ao_buf_addf(&out,
			    "\tvoid *a%zu = make(%zu, 'o', 0);\n"
			    "\tvoid *b%zu = make(%zu, 'o', 0);\n",
			    i, count, i, count);
		ao_buf_addf(&call, "%sa%zu", i ? ", " : "", i);
		ao_buf_addf(&other, "%sb%zu", i ? ", " : "", i);
	}
	ao_buf_addf(&out, "\tkernel_before(%s);\n\tkernel_after(%s);\n",
		    call.ptr, other.ptr);
	for (size_t i = 0; i < task->output_count; i++)
		ao_buf_addf(&out, "\tfailed |= differ(a%zu, b%zu, %zu);\n", i,
			    i, ao_tensor_elements(&task->outputs[i], c));
	ao_buf_addstr(&out, "\treturn failed;\n}\n");
	ao_buf_release(&call);
	ao_buf_release(&other);
	return ao_buf_take(&out);
}

static bool is_right(const struct work *work, const struct ao_case *c,
		     const char *after, const char *compiler)
{
	const struct target target = { compiler, "", 0 };
	struct ao_strs argv = { 0 }, both = { 0 };
	char *driver = run_driver(work->task, c);
	bool passed;

	box_write(folder, "before.c", work->kernel.ptr);
	box_write(folder, "after.c", after);
	box_write(folder, "driver.c", driver);
	add_command(&argv, &target, work->task, c, after);
	/* Vectors that this machine has not are only passed within a file. */
	ao_strs_split(&argv, "-Wno-psabi -o both driver.c -lm");
	ao_strs_push(&both, "./both");
	passed = run(&argv) && run(&both);
	if (!passed)
		printf("# %s, by %s\n", work->task->name, compiler);
	ao_strs_release(&both);
	ao_strs_release(&argv);
	free(driver);
	return passed;
}

/* The chain, with vectors of so many bytes whatever the machine has. */
static char *sized_chain(struct work *work, uint32_t vector_bytes)
{
	static const char last[] = "#define VEC_BYTES 16";
	char *chain = chain_of(work, vector_bytes);
	const char *at = strstr(chain, last);
	char *text;

	if (!at)
		return chain;
	text = ao_xstrf("%.*s#define VEC_BYTES %" PRIu32 "%s",
			(int)(at - chain), chain, vector_bytes,
			at + strlen(last));
	free(chain);
	return text;
}

/* The odd case and a small one, by each compiler in turn. */
static void check_results(uint32_t vector_bytes)
{
	const char *compilers[] = { "gcc", "clang" };
	struct ao_strs names = { 0 };

	if (!box_has("gcc") || !box_has("clang"))
		compilers[0] = compilers[1] = box_has("gcc") ? "gcc" : "clang";
	box_must(ao_file_list(&names, suite));
	for (size_t i = 0; i < names.count; i++) {
		struct work work;
		char *chain;

		work_open(&work, names.v[i]);
		chain = sized_chain(&work, vector_bytes);
		EXPECT(!strcmp(work.task->cases[1].name, "odd"));
		EXPECT(is_right(&work, &work.task->cases[1], chain,
				compilers[i % 2]));
		shrink(work.task, &work.task->cases[0], 64);
		EXPECT(is_right(&work, &work.task->cases[0], chain,
				compilers[1 - i % 2]));
		work_close(&work);
		free(chain);
	}
	ao_strs_release(&names);
}

static void vectors_of_16_bytes_give_the_same_results(void)
{
	check_results(16);
}

static void vectors_of_64_bytes_give_the_same_results(void)
{
	check_results(64);
}

/* The kernel with its axes as parameters, and counters that suit them. */
static void make_generic(struct work *work)
{
	const char *text = work->kernel.ptr, *at;
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	ao_buf_addstr(&out, "#include <stddef.h>\n");
	for (; (at = strstr(text, "for (int ")); text = at + 9) {
		ao_buf_add(&out, text, (size_t)(at - text));
		ao_buf_addstr(&out, "for (size_t ");
	}
	ao_buf_addstr(&out, text);
	ao_buf_release(&work->kernel);
	work->kernel = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	at = strstr(out.ptr, "void kernel(") + strlen("void kernel(");
	ao_buf_add(&work->kernel, out.ptr, (size_t)(at - out.ptr));
	for (size_t i = 0; i < work->task->axis_count; i++)
		ao_buf_addf(&work->kernel, "size_t %s, ",
			    work->context.names[i]);
	ao_buf_addstr(&work->kernel, at);
	ao_buf_release(&out);
	work->task->is_generic = true;
}

static void every_proposal_is_right_where_axes_are_parameters(void)
{
	static const char *const names[] = { "matmul", "transpose_matmul",
					     "rmsnorm_matmul", "silu",
					     "mamba" };
	const char *compiler = box_has("gcc") ? "gcc" : "clang";

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++) {
		struct ao_proposal *v;
		struct work work;
		size_t count;

		work_open(&work, names[i]);
		make_generic(&work);
		work.context.rewrite.vector_bytes = 16;
		ao_catalogue_propose(&v, &count, work.kernel.ptr,
				     work.kernel.len, &work.context.rewrite,
				     false);
		EXPECT(count >= 3);
		for (size_t n = 0; n < count; n++) {
			struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

			EXPECT(ao_catalogue_apply(
				&out, work.kernel.ptr, work.kernel.len,
				&work.context.rewrite, v[n].move, v[n].params));
			EXPECT(is_minor(v[n].move) ||
			       is_right(&work, &work.task->cases[1], out.ptr,
					compiler));
			ao_buf_release(&out);
		}
		ao_proposals_free(v, count);
		work_close(&work);
	}
}

int main(void)
{
	char *include;

	box_must(ao_file_temp_folder(&folder));
	include = ao_xstrf("%s/include", folder);
	box_must(ao_file_make_folder(include));
	box_write(include, "math.h", math_header);
	RUN(all_kernels_compile_for_sse2);
	RUN(all_kernels_compile_for_avx2);
	RUN(all_kernels_compile_for_avx512);
	RUN(all_kernels_compile_for_neon);
	RUN(a_tile_fills_the_registers_of_each_machine);
	RUN(vectors_of_16_bytes_give_the_same_results);
	RUN(vectors_of_64_bytes_give_the_same_results);
	RUN(every_proposal_is_right_where_axes_are_parameters);
	ao_file_remove_tree(folder);
	free(include);
	free(folder);
	return tap_done();
}
