/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/build.h"
#include "eval/cachegrind.h"
#include "eval/court.h"
#include "eval/feedback.h"
#include "eval/mca.h"
#include "eval/session.h"
#include "eval/timeouts.h"
#include "eval/toolchain.h"
#include "util/file.h"

/* A disassembler that takes longer than that is being attacked. */
enum { TOOL_TIMEOUT_MS = 10000 };

/* Faster than that, ticks would be most of what is seen. */
enum { LEAST_PERIOD_US = 100, MOST_PERIOD_US = 1000000 };

/*
 * Run a tool on hostile bytes as a compiler is run on hostile text.  Returns
 * what it prints, which the caller frees, or NULL if it fails: one that cannot
 * be started is as good as none.
 */
static char *run_tool(struct ao_result *result, const char *program,
		      const struct ao_strs *args, const char *folder,
		      size_t max_output)
{
	struct ao_process_end end = { 0 };
	struct ao_compiler tool;
	struct ao_error *err;
	char *text = NULL;

	ao_toolchain_reader(&tool, program, max_output);
	err = ao_toolchain_run(&end, &tool, args, folder, TOOL_TIMEOUT_MS);
	result->cpu_ns.compile += end.cpu_ns;
	if (!err && !end.status && !end.signal && !end.timed_out) {
		text = end.output;
		end.output = NULL;
	}
	ao_error_free(err);
	ao_process_end_release(&end);
	ao_compiler_release(&tool);
	return text;
}

static uint32_t period_us(double call_ns)
{
	double us = call_ns / AO_SAMPLES_MAX / 1000;

	return us < LEAST_PERIOD_US  ? LEAST_PERIOD_US
	       : us > MOST_PERIOD_US ? MOST_PERIOD_US
				     : (uint32_t)us;
}

/* See where the object is while it works; its verdict was given before. */
static struct ao_error *sample(struct ao_samples *out, struct ao_result *result,
			       const struct ao_feedback_request *request,
			       const char *object)
{
	struct ao_judge_options options = {
		.seed = request->bundle->seed,
		.samples = out,
		.sample_us = period_us(request->call_ns),
		.threads = 1,
	};
	struct ao_judgement judgement = { 0 };
	const struct ao_dataset *dataset;
	struct ao_judge *judge = NULL;
	struct ao_error *err;

	err = ao_session_dataset(&dataset, request->session,
				 request->bundle->task, request->c,
				 request->bundle->seed);
	if (err)
		return err;
	options.call_timeout_ms = ao_timeouts_call(request->bundle, dataset);
	err = ao_judge_new(&judge, dataset, &options);
	if (!err)
		err = ao_judge_check(&judgement, judge, object, 1);
	if (judgement.verdict != AO_VERDICT_PASSED)
		out->count = 0;
	ao_judgement_release(&judgement);
	ao_court_close(judge, result);
	return err;
}

/* Where there is nothing to read, *out has no entry. */
static void disassemble(struct ao_listing *out, struct ao_result *result,
			const struct ao_feedback_request *request,
			const struct ao_build *build)
{
	char *objdump = ao_spawn_find("objdump");
	struct ao_strs args = { 0 };
	char *text = NULL;

	ao_strs_push(&args, "-d");
	ao_strs_push(&args, "-l");
	ao_strs_push(&args, "--no-show-raw-insn");
	ao_strs_push(&args, strrchr(build->object, '/') + 1);
	if (objdump)
		text = run_tool(result, objdump, &args, build->folder,
				AO_MAX_LISTING_BYTES);
	if (text)
		ao_listing_parse(out, text, strlen(text),
				 request->bundle->candidate,
				 request->bundle->task->entry);
	/* What is too long is not its fault. */
	if (!out->has_entry && (!text || strlen(text) < AO_MAX_LISTING_BYTES))
		result->hotloop.missing = ao_xstrdup("objdump");
	free(text);
	ao_strs_release(&args);
	free(objdump);
}

/* Ask llvm-mca, the program, of a loop that lies in its input. */
static struct ao_error *ask_mca(struct ao_hotloop *loop,
				struct ao_result *result, const char *program,
				const struct ao_buf *input, const char *folder)
{
	static const char name[] = "loop.s";
	char *path = ao_xstrf("%s/%s", folder, name);
	struct ao_strs args = { 0 };
	char *text = NULL;
	struct ao_error *err;

	ao_mca_add_args(&args);
	ao_strs_push(&args, name);
	err = ao_toolchain_write(path, input->ptr, input->len);
	if (!err)
		text = run_tool(result, program, &args, folder,
				AO_MCA_MAX_BYTES);
	if (!err && (!text || !ao_mca_read(loop, text, strlen(text))))
		loop->missing = ao_xstrdup("llvm-mca");
	free(text);
	free(path);
	ao_strs_release(&args);
	return err;
}

static struct ao_error *analyze(struct ao_hotloop *loop,
				struct ao_result *result,
				const struct ao_listing *listing,
				const struct ao_hotspot *at, const char *folder)
{
	struct ao_buf input = AO_BUF_INIT(AO_MCA_MAX_BYTES);
	char *program = ao_mca_find();
	struct ao_error *err = NULL;

	if (!program)
		loop->missing = ao_xstrdup("llvm-mca");
	else if (ao_mca_write(&input, listing, at) && !input.overflow)
		err = ask_mca(loop, result, program, &input, folder);
	free(program);
	ao_buf_release(&input);
	return err;
}

/* Of an object that was built with line numbers. */
static struct ao_error *look(struct ao_result *result,
			     const struct ao_feedback_request *request,
			     const struct ao_build *build)
{
	struct ao_samples samples = { 0 };
	struct ao_listing listing = { 0 };
	struct ao_hotloop loop = { 0 };
	struct ao_hotspot at;
	struct ao_error *err = NULL;

	disassemble(&listing, result, request, build);
	if (listing.has_entry)
		err = sample(&samples, result, request, build->object);
	if (!err && samples.count &&
	    ao_hotspot_find(&at, &loop, &listing, &samples,
			    request->bundle->candidate))
		err = analyze(&loop, result, &listing, &at, build->folder);
	ao_listing_release(&listing);
	if (!err && ao_hotloop_is_known(&loop)) {
		ao_hotloop_release(&result->hotloop);
		result->hotloop = loop;
	} else {
		ao_hotloop_release(&loop);
	}
	return err;
}

/* Only what objdump prints of x86-64 is understood: listing.h. */
static struct ao_error *add_hotloop(struct ao_result *result,
				    const struct ao_feedback_request *request)
{
#ifdef __x86_64__
	struct ao_build build = { 0 };
	struct ao_error *err;

	err = ao_build_with(&build, ao_session_folder(request->session),
			    request->bundle->task, request->c,
			    request->bundle->candidate, "-g1",
			    ao_timeouts_build(request->bundle));
	result->cpu_ns.compile += build.cpu_ns;
	if (!err && build.verdict == AO_VERDICT_PASSED)
		err = look(result, request, &build);
	if (build.folder)
		ao_file_remove_tree(build.folder);
	ao_build_release(&build);
	return err;
#else
	(void)result;
	(void)request;
	(void)look;
	return NULL;
#endif
}

static struct ao_error *add_remarks(struct ao_result *result,
				    const struct ao_feedback_request *request)
{
	struct ao_remarks remarks = { 0 };
	struct ao_error *err;

	err = ao_build_remarks(&remarks, ao_session_folder(request->session),
			       request->bundle->task, request->c,
			       request->bundle->candidate,
			       ao_timeouts_build(request->bundle));
	if (err)
		return err;
	result->remarks = remarks.items;
	result->remark_count = remarks.count;
	result->cpu_ns.compile += remarks.cpu_ns;
	return NULL;
}

struct ao_error *ao_feedback_add(struct ao_result *result,
				 const struct ao_feedback_request *request)
{
	struct ao_error *err = add_remarks(result, request);

	if (!err)
		err = add_hotloop(result, request);
	if (!err && request->bundle->with_cachegrind)
		err = ao_cachegrind_count(&result->counts,
					  ao_session_folder(request->session),
					  request->bundle->task, request->c,
					  request->bundle->candidate,
					  ao_timeouts_build(request->bundle));
	if (err)
		return ao_error_wrap(err, "cannot find out what holds the "
					  "kernel up");
	return NULL;
}
