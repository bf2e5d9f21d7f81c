/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "eval/cpu.h"
#include "util/buf.h"

void ao_cpu_release(struct ao_cpu *cpu)
{
	free(cpu->model);
	free(cpu->features);
	*cpu = (struct ao_cpu){ 0 };
}

#ifdef __x86_64__

/* Of cpuid. */
#define BRAND_LEAF   0x80000002U
#define BRAND_LEAVES 3U

/* The brand string, and family/model/stepping: virtual CPUs share brands. */
static char *model_name(void)
{
	unsigned words[4 * BRAND_LEAVES + 1] = { 0 };
	unsigned a = 0, b = 0, c = 0, d = 0;
	const char *brand = (const char *)words;
	unsigned family, model;

	for (unsigned i = 0; i < BRAND_LEAVES; i++) {
		unsigned *w = words + (size_t)4 * i;

		if (!__get_cpuid(BRAND_LEAF + i, &w[0], &w[1], &w[2], &w[3]))
			break;
	}
	__get_cpuid(1, &a, &b, &c, &d);
	family = (a >> 8 & 15) + (a >> 20 & 255);
	model = (a >> 4 & 15) | (a >> 12 & 240);
	brand += strspn(brand, " ");
	return ao_xstrf("%s %u/%u/%u", *brand ? brand : "x86", family, model,
			a & 15);
}

static void find_features(struct ao_cpu *cpu)
{
	struct ao_buf list = AO_BUF_INIT(256);
	bool avx2, fma, avx512;

	__builtin_cpu_init();
	/* These also ask whether the system saves the registers. */
	avx2 = __builtin_cpu_supports("avx2");
	fma = __builtin_cpu_supports("fma");
	avx512 = __builtin_cpu_supports("avx512f");
	if (avx2)
		ao_buf_addstr(&list, "avx2 ");
	if (fma)
		ao_buf_addstr(&list, "fma ");
	if (avx512)
		ao_buf_addstr(&list, "avx512f ");
	if (__builtin_cpu_supports("avx512vl"))
		ao_buf_addstr(&list, "avx512vl ");
	if (__builtin_cpu_supports("avx512dq"))
		ao_buf_addstr(&list, "avx512dq ");
	if (__builtin_cpu_supports("avx512bw"))
		ao_buf_addstr(&list, "avx512bw ");
	if (list.len)
		list.ptr[list.len - 1] = '\0';
	cpu->features = ao_buf_take(&list);
	cpu->vector_bytes = avx512 ? 64 : avx2 && fma ? 32 : 16;
}

#else

/* Elsewhere the kernel tells the parts of a model one by one. */
static char *model_name(void)
{
	static const char *const keys[] = { "model name", "CPU implementer",
					    "CPU part", "cpu" };
	struct ao_buf name = AO_BUF_INIT(256);
	FILE *file = fopen("/proc/cpuinfo", "re");
	struct utsname system;
	char line[256];

	if (!uname(&system))
		ao_buf_addstr(&name, system.machine);
	while (file && fgets(line, sizeof(line), file) && *line != '\n') {
		size_t len = strcspn(line, "\t:");

		for (size_t i = 0; i < AO_ARRAY_SIZE(keys); i++) {
			char *value = strchr(line, ':');

			if (strlen(keys[i]) != len || !value ||
			    strncmp(keys[i], line, len))
				continue;
			value[strcspn(value, "\n")] = '\0';
			ao_buf_addf(&name, " %s", value + 2);
		}
	}
	if (file)
		fclose(file);
	return ao_buf_take(&name);
}

static void find_features(struct ao_cpu *cpu)
{
	cpu->features = ao_xstrf("%lx/%lx", getauxval(AT_HWCAP),
				 getauxval(AT_HWCAP2));
	cpu->vector_bytes = 16;
}

#endif

void ao_cpu_detect(struct ao_cpu *out)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct ao_cpu cpu = { .model = model_name() };

	/*
	 * Not those that we may run on: a process that has bound itself to one
	 * would be on another machine.
	 */
	cpu.cores = cores > 0 ? (uint32_t)cores : 1;
	find_features(&cpu);
	*out = cpu;
}
