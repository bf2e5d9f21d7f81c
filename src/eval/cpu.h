/* SPDX-License-Identifier: MIT */
/* cpu.h - which CPU this is, as far as it decides how fast kernels can be. */
#ifndef AO_EVAL_CPU_H
#define AO_EVAL_CPU_H

#include "util/base.h"

/* All zero is empty. */
struct ao_cpu {
	char *model;	       /* "AMD EPYC 7763 64-Core Processor 25/1/1" */
	char *features;	       /* "avx2 fma", those that matter */
	uint32_t cores;	       /* on line */
	uint32_t vector_bytes; /* of the widest vector register: 16, 32, 64 */
};

void ao_cpu_detect(struct ao_cpu *out);
void ao_cpu_release(struct ao_cpu *cpu);

#endif
