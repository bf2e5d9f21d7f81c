/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/buf.h"
#include "util/limits.h"
#include "util/text.h"

#include "eval/mutant.h"

enum { MAX_WRAPPER_BYTES = 256 << 10 };

/* The name that the task's kernel gets. */
#define INNER "ao_mutant_inner"

static bool is_float(const struct ao_tensor *tensor)
{
	return tensor->dtype != AO_DTYPE_INT32;
}

static const char *c_type(const struct ao_tensor *tensor)
{
	switch (tensor->dtype) {
	case AO_DTYPE_FLOAT32:
		return "float";
	case AO_DTYPE_FLOAT64:
		return "double";
	case AO_DTYPE_INT32:
		break;
	}
	return "int";
}

void ao_mutant_list(struct ao_mutant **out, size_t *count_out,
		    const struct ao_task *task)
{
	size_t most = task->output_count *
		      (AO_MUTANT_KIND_COUNT + task->input_count);
	struct ao_mutant *list = ao_xcalloc(most, sizeof(*list));
	size_t count = 0;

	for (size_t o = 0; o < task->output_count; o++) {
		const struct ao_tensor *output = &task->outputs[o];

		for (enum ao_mutant_kind k = 0; k < AO_MUTANT_COPY; k++)
			if (k != AO_MUTANT_BF16 || is_float(output))
				list[count++] = (struct ao_mutant){ k, o, 0 };
		for (size_t i = 0; i < task->input_count; i++)
			if (task->inputs[i].dtype == output->dtype)
				list[count++] = (struct ao_mutant){
					AO_MUTANT_COPY, o, i
				};
	}
	*out = list;
	*count_out = count;
}

char *ao_mutant_name(const struct ao_mutant *mutant, const struct ao_task *task)
{
	const char *output = task->outputs[mutant->output].name;

	switch (mutant->kind) {
	case AO_MUTANT_ZERO:
		return ao_xstrf("%s all zero", output);
	case AO_MUTANT_CONSTANT:
		return ao_xstrf("%s all its mean", output);
	case AO_MUTANT_HALF:
		return ao_xstrf("%s half computed", output);
	case AO_MUTANT_BF16:
		return ao_xstrf("%s rounded to bf16", output);
	case AO_MUTANT_COPY:
		return ao_xstrf("%s a copy of %s", output,
				task->inputs[mutant->input].name);
	case AO_MUTANT_KIND_COUNT:
		break;
	}
	return ao_xstrdup(output);
}

/* Where the comments end that a source begins with: its flags stand there. */
static size_t leading_comments(const char *text)
{
	const char *end = text;

	for (;;) {
		const char *at = end + strspn(end, " \t\r\n");
		const char *close;

		if (ao_text_starts_with(at, "/*"))
			close = strstr(at + 2, "*/");
		else if (ao_text_starts_with(at, "//"))
			close = strchr(at, '\n');
		else
			break;
		if (!close)
			break;
		end = close + (*close == '*' ? 2 : 1);
	}
	return (size_t)(end - text);
}

/* In C: the number of elements of a tensor; axes are macros or parameters. */
static void add_elements(struct ao_buf *out, const struct ao_task *task,
			 const struct ao_tensor *tensor)
{
	ao_buf_addstr(out, "(__SIZE_TYPE__)1");
	for (size_t i = 0; i < tensor->rank; i++)
		ao_buf_addf(out, " * (%s)", task->axes[tensor->axes[i]].name);
}

/* Parameters, or with `as_call` the arguments that hand them on. */
static void add_parameters(struct ao_buf *out, const struct ao_task *task,
			   bool as_call)
{
	const char *separator = "";

	for (size_t i = 0; task->is_generic && i < task->axis_count; i++) {
		ao_buf_addf(out, "%s%s%s", separator,
			    as_call ? "" : "__SIZE_TYPE__ ",
			    task->axes[i].name);
		separator = ", ";
	}
	for (size_t i = 0; i < task->input_count; i++) {
		if (as_call)
			ao_buf_addf(out, "%sao_in%zu", separator, i);
		else
			ao_buf_addf(out, "%sconst %s *ao_in%zu", separator,
				    c_type(&task->inputs[i]), i);
		separator = ", ";
	}
	for (size_t i = 0; i < task->output_count; i++) {
		if (as_call)
			ao_buf_addf(out, "%sao_out%zu", separator, i);
		else
			ao_buf_addf(out, "%s%s *ao_out%zu", separator,
				    c_type(&task->outputs[i]), i);
		separator = ", ";
	}
}

/* What is done to the output `o` of `n` elements, which is right so far. */
static void add_spoiling(struct ao_buf *out, const struct ao_mutant *mutant,
			 const struct ao_task *task)
{
	switch (mutant->kind) {
	case AO_MUTANT_ZERO:
		ao_buf_addstr(out, "\tfor (i = 0; i < n; i++)\n"
				   "\t\to[i] = 0;\n");
		break;
	case AO_MUTANT_CONSTANT:
		ao_buf_addstr(out, "\tfor (i = 0; i < n; i++)\n"
				   "\t\tsum += (double)o[i];\n"
				   "\tfor (i = 0; i < n; i++)\n"
				   "\t\to[i] = sum / (double)n;\n");
		break;
	case AO_MUTANT_HALF:
		ao_buf_addstr(out, "\tfor (i = n / 2; i < n; i++)\n"
				   "\t\to[i] = 0;\n");
		break;
	case AO_MUTANT_BF16:
		ao_buf_addstr(out, "\tfor (i = 0; i < n; i++) {\n"
				   "\t\tfloat f = (float)o[i];\n"
				   "\t\tunsigned u;\n"
				   "\t\t__builtin_memcpy(&u, &f, sizeof(u));\n"
				   "\t\tu += 0x7fff + (u >> 16 & 1);\n"
				   "\t\tu &= 0xffff0000u;\n"
				   "\t\t__builtin_memcpy(&f, &u, sizeof(u));\n"
				   "\t\to[i] = f;\n"
				   "\t}\n");
		break;
	case AO_MUTANT_COPY:
		ao_buf_addf(out,
			    "\tfor (i = 0; i < n; i++)\n"
			    "\t\to[i] = ao_in%zu[i %% (",
			    mutant->input);
		add_elements(out, task, &task->inputs[mutant->input]);
		ao_buf_addstr(out, ")];\n");
		break;
	case AO_MUTANT_KIND_COUNT:
		break;
	}
}

static void add_wrapper(struct ao_buf *out, const struct ao_mutant *mutant,
			const struct ao_task *task)
{
	const struct ao_tensor *output = &task->outputs[mutant->output];

	ao_buf_addf(out, "\n#undef %s\nvoid " INNER "();\nvoid %s(",
		    task->entry, task->entry);
	add_parameters(out, task, false);
	ao_buf_addf(out, ")\n{\n\t%s *o = ao_out%zu;\n\t__SIZE_TYPE__ i, n = ",
		    c_type(output), mutant->output);
	add_elements(out, task, output);
	ao_buf_addstr(out, ";\n\tdouble sum = 0;\n\n\t" INNER "(");
	add_parameters(out, task, true);
	ao_buf_addstr(out, ");\n");
	add_spoiling(out, mutant, task);
	ao_buf_addstr(out, "\t(void)sum;\n}\n");
}

void ao_mutant_make(struct ao_kernel *out, const struct ao_mutant *mutant,
		    const struct ao_task *task, const struct ao_kernel *kernel)
{
	struct ao_kernel made = { 0 };

	for (size_t i = 0; i < kernel->count; i++) {
		const struct ao_kernel_file *file = &kernel->files[i];
		struct ao_buf text = AO_BUF_INIT(file->len + MAX_WRAPPER_BYTES);
		size_t head = leading_comments(file->data);

		ao_buf_add(&text, file->data, head);
		/* Not static: another file of the kernel may hold it. */
		ao_buf_addf(&text,
			    "\n#define %s __attribute__((visibility("
			    "\"hidden\"))) " INNER "\n",
			    task->entry);
		ao_buf_add(&text, file->data + head, file->len - head);
		if (i + 1 == kernel->count)
			add_wrapper(&text, mutant, task);
		ao_kernel_add(&made, file->path, text.ptr, text.len);
		ao_buf_release(&text);
	}
	*out = made;
}
