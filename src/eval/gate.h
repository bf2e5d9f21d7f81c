/* SPDX-License-Identifier: MIT */
/*
 * gate.h - what may not stand in a kernel's text.
 *
 * Refused are: flags that are not on the list (in the first comment, or behind
 * `optimize`, as attribute or pragma), a #define or #undef of an axis or
 * scalar that the builder defines, an #include of a file outside the kernel
 * that is not the compiler's, a question for one, or another way to name one
 * (#embed, #line, a pragma), an assembler's .include or .incbin, and what this
 * module cannot read as compilers do.
 *
 * A string may be made so that no text has it.  What keeps compilers from files
 * is the cage, see cage.h, and where that cannot, depends.h.
 */
#ifndef AO_EVAL_GATE_H
#define AO_EVAL_GATE_H

#include "eval/flags.h"
#include "model/kernel.h"
#include "model/task.h"

/*
 * Read all files of `kernel`.  Returns NULL and its flags in *out, which the
 * caller releases, or one line that says where and what is refused, which the
 * caller frees; *out is then untouched.
 */
AO_MUST_CHECK
char *ao_gate_check(struct ao_flags *out, const struct ao_task *task,
		    const struct ao_kernel *kernel);

#endif
