/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/text.h"

#include "cli/task_text.h"
#include "cli/units.h"

static void add_shape(struct ao_buf *out, const struct ao_task *task,
		      const struct ao_tensor *tensor)
{
	ao_buf_addstr(out, "[");
	for (size_t i = 0; i < tensor->rank; i++)
		ao_buf_addf(out, "%s%s", i ? ", " : "",
			    task->axes[tensor->axes[i]].name);
	ao_buf_addstr(out, "]");
}

static void add_inputs(struct ao_buf *out, const struct ao_task *task)
{
	ao_buf_addstr(out, "\ninputs\n");
	for (size_t i = 0; i < task->input_count; i++) {
		const struct ao_tensor *t = &task->inputs[i];

		ao_buf_addf(out, "  %-10s %s ", t->name,
			    ao_dtype_name(t->dtype));
		add_shape(out, task, t);
		ao_buf_addstr(out, ", ");
		switch (t->fill) {
		case AO_FILL_NORMAL:
			ao_buf_addf(out, "normal, deviation %g", t->scale);
			break;
		case AO_FILL_ABS_NORMAL:
			ao_buf_addf(out, "absolute normal, deviation %g",
				    t->scale);
			break;
		case AO_FILL_UNIFORM:
			ao_buf_addf(out, "uniform, below %g", t->scale);
			break;
		}
		ao_buf_addstr(out, "\n");
	}
}

static void add_outputs(struct ao_buf *out, const struct ao_task *task)
{
	ao_buf_addstr(out, "\noutputs\n");
	for (size_t i = 0; i < task->output_count; i++) {
		const struct ao_tensor *t = &task->outputs[i];

		ao_buf_addf(out, "  %-10s %s ", t->name,
			    ao_dtype_name(t->dtype));
		add_shape(out, task, t);
		ao_buf_addf(out, ", relative L2 error at most %g\n",
			    t->tolerance);
	}
}

static void add_scalars(struct ao_buf *out, const struct ao_task *task)
{
	if (task->scalar_count)
		ao_buf_addstr(out, "\nscalars\n");
	for (size_t i = 0; i < task->scalar_count; i++)
		ao_buf_addf(out, "  %-10s %.17g\n", task->scalars[i].name,
			    task->scalars[i].value);
}

static void add_work(struct ao_buf *out, const struct ao_task *task,
		     const struct ao_case *c)
{
	char text[AO_UNITS_SIZE];

	ao_units_bytes(text, ao_task_bytes(task, c));
	ao_buf_addf(out, "    moves %s", text);
	for (enum ao_work w = 0; w < AO_WORK_COUNT; w++) {
		double work = ao_task_work(task, c, w);

		if (work <= 0)
			continue;
		ao_units_count(text, work);
		ao_buf_addf(out, ", %s %s", text, ao_work_name(w));
	}
	ao_buf_addstr(out, "\n");
}

static void add_cases(struct ao_buf *out, const struct ao_task *task)
{
	int width = 10;

	for (size_t i = 0; i < task->case_count; i++)
		if (strlen(task->cases[i].name) > (size_t)width)
			width = (int)strlen(task->cases[i].name);
	ao_buf_addstr(out, "\ncases\n");
	for (size_t i = 0; i < task->case_count; i++) {
		const struct ao_case *c = &task->cases[i];

		ao_buf_addf(out, "  %-*s weight %g%s:", width, c->name,
			    c->weight,
			    c->is_protected    ? ", protected"
			    : c->is_on_request ? ", on request"
					       : "");
		for (size_t a = 0; a < task->axis_count; a++)
			ao_buf_addf(out, " %s=%" PRId64, task->axes[a].name,
				    c->extents[a]);
		ao_buf_addstr(out, "\n");
		add_work(out, task, c);
	}
}

static void add_files(struct ao_buf *out, const struct ao_task *task)
{
	ao_buf_addf(out, "\nfiles in tasks/%s\n", task->name);
	for (size_t i = 0; i < task->kernel_files.count; i++)
		ao_buf_addf(out, "  %-14s the kernel; defines %s()\n",
			    task->kernel_files.v[i], task->entry);
	ao_buf_addf(out, "  %-14s what is right\n", task->reference_file);
	if (task->practitioner_file)
		ao_buf_addf(out, "  %-14s the practitioner's baseline\n",
			    task->practitioner_file);
}

void ao_task_text(struct ao_buf *out, const struct ao_task *task)
{
	ao_buf_addf(out, "task %s (%s%starget %s)\nid   %s\n\n", task->name,
		    task->op_type ? task->op_type : "",
		    task->op_type ? ", " : "", task->target, task->id);
	ao_text_wrap(out, task->description ? task->description : "", "  ", 78);
	add_files(out, task);
	add_inputs(out, task);
	add_outputs(out, task);
	add_scalars(out, task);
	add_cases(out, task);
}
