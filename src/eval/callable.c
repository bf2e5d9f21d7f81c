/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/callable.h"
#include "util/text.h"

/*
 * Of <math.h> and <complex.h>, each also with f and l behind it.  Not there is
 * what sets the floating-point environment: fesetround(), feenableexcept().
 */
static const char *const mathematics[] = {
	"acos",	     "acosh",	  "asin",	"asinh",       "atan",
	"atan2",     "atanh",	  "cabs",	"cacos",       "cacosh",
	"carg",	     "casin",	  "casinh",	"catan",       "catanh",
	"cbrt",	     "ccos",	  "ccosh",	"ceil",	       "cexp",
	"cimag",     "clog",	  "clog10",	"conj",	       "copysign",
	"cos",	     "cosh",	  "cpow",	"cproj",       "creal",
	"csin",	     "csinh",	  "csqrt",	"ctan",	       "ctanh",
	"drem",	     "erf",	  "erfc",	"exp",	       "exp10",
	"exp2",	     "expm1",	  "fabs",	"fdim",	       "finite",
	"floor",     "fma",	  "fmax",	"fmin",	       "fmod",
	"frexp",     "gamma",	  "hypot",	"ilogb",       "isinf",
	"isnan",     "j0",	  "j1",		"jn",	       "ldexp",
	"lgamma",    "lgamma_r",  "lgammaf_r",	"lgammal_r",   "llrint",
	"llround",   "log",	  "log10",	"log1p",       "log2",
	"logb",	     "lrint",	  "lround",	"modf",	       "nan",
	"nearbyint", "nextafter", "nexttoward", "pow",	       "pow10",
	"remainder", "remquo",	  "rint",	"round",       "roundeven",
	"scalb",     "scalbln",	  "scalbn",	"significand", "sin",
	"sincos",    "sinh",	  "sqrt",	"tan",	       "tanh",
	"tgamma",    "trunc",	  "y0",		"y1",	       "yn",
};

/*
 * Memory and what is in it; what a compiler makes of loops that fill, copy and
 * compare; with "__" before and "_chk" behind, as distributions have it.
 */
static const char *const memory[] = {
	"memcpy", "memmove", "memset", "memcmp", "memchr", "mempcpy", "bcmp",
	"bzero",  "strlen",  "abs",    "labs",	 "llabs",  "qsort",   "bsearch",
};

/*
 * Scratch memory.  A kernel that asks for it in each call is slow, not hostile:
 * what may be mapped is for the sandbox, and that is no file and no code.
 */
static const char *const allocation[] = {
	"malloc",   "calloc", "realloc", "free",	   "aligned_alloc",
	"memalign", "mmap",   "munmap",	 "posix_memalign", "madvise",
};

/*
 * What compilers call by themselves: the stack protector, variables of a
 * thread, and assert(), which ends in a crash.
 */
static const char *const support[] = {
	"__stack_chk_fail",
	"__stack_chk_guard",
	"__tls_get_addr",
	"__assert_fail",
	"abort",
};

static bool is_one_of(const char *const *names, size_t count, const char *name,
		      size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(names[i], name, len) && !names[i][len])
			return true;
	return false;
}

static bool is_mathematics(const char *name, size_t len)
{
	size_t count = AO_ARRAY_SIZE(mathematics);

	if (is_one_of(mathematics, count, name, len))
		return true;
	return len && strchr("fl", name[len - 1]) &&
	       is_one_of(mathematics, count, name, len - 1);
}

/* "_ZGVdN8v_expf": architecture, mask, lanes, arguments, then the function. */
static bool is_vector_form(const char *name)
{
	static const char prefix[] = "_ZGV";
	const char *function;

	if (!ao_text_starts_with(name, prefix))
		return false;
	name += strlen(prefix);
	function = name + strspn(name, "abcdefghijklmnopqrstuvwxyz"
				       "MN0123456789");
	return function > name && *function == '_' &&
	       is_mathematics(function + 1, strlen(function + 1));
}

/* "__expf_finite", "__isnanf", "__memcpy_chk", "__fpclassifyf" */
static bool is_reserved_form(const char *name)
{
	static const char *const classes[] = { "fpclassify",  "fpclassifyf",
					       "fpclassifyl", "signbit",
					       "signbitf",    "signbitl" };
	static const char finite[] = "_finite", checked[] = "_chk";
	size_t len;

	if (!ao_text_starts_with(name, "__"))
		return false;
	name += 2;
	len = strlen(name);
	if (ao_text_ends_with(name, finite))
		return is_mathematics(name, len - strlen(finite));
	if (ao_text_ends_with(name, checked))
		return is_one_of(memory, AO_ARRAY_SIZE(memory), name,
				 len - strlen(checked));
	return is_one_of(classes, AO_ARRAY_SIZE(classes), name, len) ||
	       is_mathematics(name, len);
}

bool ao_callable_symbol(const char *name)
{
	size_t len = strlen(name);

	return is_mathematics(name, len) ||
	       is_one_of(memory, AO_ARRAY_SIZE(memory), name, len) ||
	       is_one_of(allocation, AO_ARRAY_SIZE(allocation), name, len) ||
	       is_one_of(support, AO_ARRAY_SIZE(support), name, len) ||
	       is_reserved_form(name) || is_vector_form(name);
}

bool ao_callable_thread_symbol(const char *name)
{
	static const char *const prefixes[] = {
		"GOMP_",	 "omp_",
		"pthread_attr_", "pthread_barrier_",
		"pthread_cond_", "pthread_mutex_",
		"pthread_spin_", "pthread_rwlock_",
		"sem_",
	};
	static const char *const names[] = {
		"pthread_create", "pthread_join", "pthread_detach",
		"pthread_exit",	  "pthread_self", "pthread_once",
		"pthread_equal",  "sched_yield",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(prefixes); i++)
		if (ao_text_starts_with(name, prefixes[i]))
			return true;
	return is_one_of(names, AO_ARRAY_SIZE(names), name, strlen(name));
}

static bool is_library(const char *const *prefixes, size_t count,
		       const char *soname)
{
	for (size_t i = 0; i < count; i++)
		if (ao_text_starts_with(soname, prefixes[i]))
			return !strchr(soname, '/');
	return false;
}

bool ao_callable_thread_library(const char *soname)
{
	static const char *const prefixes[] = { "libgomp.so", "libpthread.so" };

	return is_library(prefixes, AO_ARRAY_SIZE(prefixes), soname);
}

bool ao_callable_library(const char *soname)
{
	/* The loader itself has __tls_get_addr(); musl is one library. */
	static const char *const prefixes[] = { "libm.so",    "libmvec.so",
						"libc.so",    "ld-linux",
						"libc.musl-", "ld-musl-",
						"ld64.so" };

	return is_library(prefixes, AO_ARRAY_SIZE(prefixes), soname);
}
