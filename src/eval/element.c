/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "eval/element.h"

static int32_t to_int32(double value)
{
	return (int32_t)fmin(fmax(floor(value), INT32_MIN), INT32_MAX);
}

void ao_element_store(void *data, enum ao_dtype dtype, size_t at, double value)
{
	switch (dtype) {
	case AO_DTYPE_FLOAT32:
		((float *)data)[at] = (float)value;
		break;
	case AO_DTYPE_FLOAT64:
		((double *)data)[at] = value;
		break;
	case AO_DTYPE_INT32:
		((int32_t *)data)[at] = to_int32(value);
		break;
	}
}

double ao_element_load(const void *data, enum ao_dtype dtype, size_t at)
{
	switch (dtype) {
	case AO_DTYPE_FLOAT32:
		return (double)((const float *)data)[at];
	case AO_DTYPE_FLOAT64:
		return ((const double *)data)[at];
	case AO_DTYPE_INT32:
		return ((const int32_t *)data)[at];
	}
	assert(!"no such dtype");
	return 0;
}

bool ao_element_is_integer(enum ao_dtype dtype)
{
	return dtype == AO_DTYPE_INT32;
}

double ao_element_least(enum ao_dtype dtype)
{
	switch (dtype) {
	case AO_DTYPE_FLOAT32:
		return (double)FLT_MIN;
	case AO_DTYPE_FLOAT64:
		return DBL_MIN;
	case AO_DTYPE_INT32:
		break;
	}
	return 1;
}

double ao_element_most(enum ao_dtype dtype)
{
	switch (dtype) {
	case AO_DTYPE_FLOAT32:
		return (double)FLT_MAX;
	case AO_DTYPE_FLOAT64:
		return DBL_MAX;
	case AO_DTYPE_INT32:
		break;
	}
	return INT32_MAX;
}
