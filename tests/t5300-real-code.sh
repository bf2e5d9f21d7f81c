#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt evolve: kernels as numerical programs have them

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

# A product whose sizes are known at run time only, in C as of 1989.
(
	cd "$work" && product_repo real && cd real && cd tasks/tiny &&
	sed -i.bak 's/"target": "c",/"target": "c", "shapes": "generic",/' \
		task.json && rm task.json.bak &&
	cat >reference.c <<-C &&
	#include <stddef.h>
	void reference(size_t m, size_t n, size_t k, const float *a,
		       const float *b, double *c)
	{
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++) {
				c[i * n + j] = 0;
				for (size_t l = 0; l < k; l++)
					c[i * n + j] += (double)a[i * k + l] *
							b[l * n + j];
			}
	}
	C
	cat >kernel.c <<-C &&
	#include <stddef.h>

	void kernel(size_t m, size_t n, size_t k, const float *a,
		    const float *b, float *c)
	{
		size_t i, j, l;
		const float *row;
		float sum;

		for (i = 0; i != m; ++i) {
			row = a + i * k;
			for (j = 0; j <= n - 1; ++j) {
				sum = 0;
				for (l = 0; l < k; ++l)
					sum += row[l] * b[l * n + j];
				c[i * n + j] = sum;
			}
		}
	}
	C
	git commit -qam real &&
	git accelopt evolve tiny --max-evals 2 --seed 1 --quiet
) >"$work/search.log" 2>&1 || sed 's/^/# /' "$work/search.log"

test_title 'tiles a product of run-time sizes with counters declared outside'
test_ok '
	git -C ../real accelopt log tiny --best --json >log &&
	grep "TILE\|tile" log
'

test_title 'gains by it, and is right for every size of the task'
test_ok '
	gains_in ../real tiny 1.5
'

test_done
