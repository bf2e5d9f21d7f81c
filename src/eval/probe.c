/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/ceilings.h"
#include "eval/cpu.h"
#include "eval/ladder.h"
#include "eval/machine_lock.h"
#include "eval/probe.h"
#include "eval/toolchain.h"
#include "util/crypto.h"
#include "util/file.h"
#include "util/limits.h"

enum { PEAKS_BUDGET_MS = 4000 };

static void fingerprint(char out[AO_ID_SIZE], const struct ao_cpu *cpu)
{
	struct ao_hash *hash = ao_hash_new();

	ao_hash_addstr(hash, cpu->model);
	ao_hash_addstr(hash, cpu->features);
	ao_hash_add(hash, &cpu->cores, sizeof(cpu->cores));
	ao_hash_finish(hash, out);
}

struct ao_error *ao_probe_machine(struct ao_machine *out)
{
	struct ao_machine machine = { 0 };
	struct ao_compiler compiler = { 0 };
	struct ao_cpu cpu = { 0 };
	struct ao_rung rung;
	struct ao_error *err = ao_toolchain_find(&compiler, NULL);

	if (err)
		return err;
	ao_cpu_detect(&cpu);
	fingerprint(machine.fingerprint, &cpu);
	machine.cpu = ao_xstrdup(cpu.model);
	machine.cores = cpu.cores;
	machine.vector_bytes = cpu.vector_bytes;
	machine.compiler = ao_xstrdup(compiler.name);
	ao_ladder_kernels(&rung);
	machine.sandbox = ao_xstrdup(rung.level);
	ao_ladder_compilers(&rung);
	machine.compiler_sandbox = ao_xstrdup(rung.level);
	ao_cpu_release(&cpu);
	ao_compiler_release(&compiler);
	*out = machine;
	return NULL;
}

/* Where a machine's ceilings are kept, or NULL if nowhere. */
static char *cache_path(const struct ao_machine *machine)
{
	char *folder;
	char *path;
	struct ao_error *err = ao_file_cache_folder(&folder);

	if (err) {
		ao_error_free(err);
		return NULL;
	}
	path = ao_xstrf("%s/ceilings-%d-%s.json", folder, AO_PEAK_MODEL,
			machine->fingerprint);
	free(folder);
	return path;
}

/* Take over the ceilings that the cache has, if it has any. */
static void read_cache(struct ao_machine *machine, const char *path)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	struct ao_error *err = path ? ao_file_read(&text, path) : NULL;
	struct ao_json *json = ao_json_parse(text.ptr, text.len);
	struct ao_machine cached = { 0 };

	ao_machine_from_json(&cached, json);
	machine->ceilings = cached.ceilings;
	ao_machine_release(&cached);
	ao_json_free(json);
	ao_buf_release(&text);
	ao_error_free(err);
}

static void write_cache(const struct ao_machine *machine, const char *path)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	struct ao_json *json = ao_machine_to_json(machine, true);

	ao_json_print(&text, json, true);
	ao_error_free(ao_file_replace(path, text.ptr, text.len));
	ao_json_free(json);
	ao_buf_release(&text);
}

/* Measure and raise; with the machine to ourselves. */
static struct ao_error *measure(struct ao_machine *machine, const char *path,
				const struct ao_probe_options *options)
{
	struct ao_ceilings measured;
	struct ao_lock *lock = NULL;
	struct ao_error *err = ao_machine_lock_take(&lock, AO_LOCK_EXCLUSIVE);

	if (err)
		return err;
	/* Somebody else may have measured while we waited. */
	read_cache(machine, path);
	if (options->is_forced ||
	    !ao_ceilings_are_complete(&machine->ceilings)) {
		err = ao_ceilings_measure(&measured, machine->vector_bytes,
					  options->budget_ms);
		if (!err) {
			ao_ceilings_raise(&measured, &machine->ceilings);
			machine->ceilings = measured;
		}
		if (!err && path)
			write_cache(machine, path);
	}
	ao_lock_free(lock);
	return err;
}

bool ao_probe_knows_peaks(const struct ao_machine *machine)
{
	struct ao_machine cached = { 0 };
	char *path = cache_path(machine);

	read_cache(&cached, path);
	free(path);
	return ao_ceilings_are_complete(&cached.ceilings);
}

struct ao_error *ao_probe_peaks_with(struct ao_machine *out,
				     const struct ao_probe_options *options)
{
	struct ao_machine machine = { 0 };
	struct ao_error *err = ao_probe_machine(&machine);
	char *path;

	if (err)
		return err;
	path = cache_path(&machine);
	read_cache(&machine, path);
	if (options->is_forced || !ao_ceilings_are_complete(&machine.ceilings))
		err = measure(&machine, path, options);
	free(path);
	if (err) {
		ao_machine_release(&machine);
		return ao_error_wrap(err, "cannot measure this machine");
	}
	*out = machine;
	return NULL;
}

struct ao_error *ao_probe_peaks(struct ao_machine *out)
{
	return ao_probe_peaks_with(
		out, &(struct ao_probe_options){ false, PEAKS_BUDGET_MS });
}

struct ao_error *ao_probe_peaks_again(struct ao_machine *out)
{
	return ao_probe_peaks_with(
		out, &(struct ao_probe_options){ true, PEAKS_BUDGET_MS });
}
