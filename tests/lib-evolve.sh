# SPDX-License-Identifier: MIT
# lib-evolve.sh - for tests that search: small tasks that are quick to judge.
# Source it after lib.sh and lib-cli.sh.

# product_task <name>: a small product, written as plain loops, in tasks/<name>/.
product_task () {
	mkdir -p "tasks/$1"
	cat >"tasks/$1/task.json" <<-JSON
	{
	  "v": 1, "name": "$1", "op_type": "gemm", "description": "c = a b",
	  "target": "c",
	  "axes": { "M": { "type": "var" }, "N": { "type": "var" },
	            "K": { "type": "var" } },
	  "inputs": { "a": { "shape": ["M", "K"], "dtype": "float32" },
	              "b": { "shape": ["K", "N"], "dtype": "float32" } },
	  "outputs": { "c": { "shape": ["M", "N"], "dtype": "float32",
	                      "tolerance": 2e-5 } },
	  "kernel": ["kernel.c"], "reference": "reference.c",
	  "independent_axis": "M", "work": { "fma": "M * N * K" },
	  "cases": [ { "name": "main", "axes": { "M": 64, "N": 96, "K": 80 } },
	             { "name": "odd", "axes": { "M": 7, "N": 13, "K": 5 },
	               "weight": 0 } ]
	}
	JSON
	cat >"tasks/$1/reference.c" <<-C
	void reference(const float a[M][K], const float b[K][N], double c[M][N])
	{
		for (int i = 0; i < M; i++)
			for (int j = 0; j < N; j++) {
				double sum = 0;
				for (int k = 0; k < K; k++)
					sum += (double)a[i][k] * b[k][j];
				c[i][j] = sum;
			}
	}
	C
	cat >"tasks/$1/kernel.c" <<-C
	void kernel(const float a[M][K], const float b[K][N], float c[M][N])
	{
		for (int i = 0; i < M; i++)
			for (int j = 0; j < N; j++) {
				float sum = 0;
				for (int k = 0; k < K; k++)
					sum += a[i][k] * b[k][j];
				c[i][j] = sum;
			}
	}
	C
}

# three_nests <name>: the product, scaled, and its exponential, in a nest each:
# three things to make faster.
three_nests () {
	sed -i 's|"work": {|"work": { "exp": "M * N", "add": "M * N",|; s|"c = a b"|"c = exp(a b / -1000)"|' \
		"tasks/$1/task.json" &&
	sed 's|= sum;|= exp(sum / -1000);|; 1i #include <math.h>' \
		"tasks/$1/reference.c" >reference.tmp &&
	mv reference.tmp "tasks/$1/reference.c" &&
	{
		echo "#include <math.h>" && sed '$d' "tasks/$1/kernel.c" && cat <<-C
			for (int j = 0; j < N; j++)
				for (int i = 0; i < M; i++)
					c[i][j] *= -0.001f;
			for (int i = 0; i < M; i++)
				for (int j = 0; j < N; j++)
					c[i][j] = expf(c[i][j]);
		}
		C
	} >kernel.tmp && mv kernel.tmp "tasks/$1/kernel.c"
}

# product_repo <folder>: a repository with one commit and the task "tiny".
product_repo () {
	git init -q "$1" &&
	( cd "$1" && product_task tiny && git add . && git commit -qm tasks )
}

# attempts [<task>]: the attempt number of every candidate, a line each.
attempts () {
	git accelopt log "${1-tiny}" --json |
	sed -n 's/.*"attempt":"\([0-9.]*\)".*/\1/p' | sort -V
}

# gains_in <repository> <task> <factor>: its best candidate is so much faster.
gains_in () {
	git -C "$1" accelopt log "$2" --best --json >best &&
	cat best &&
	sed -n '1s/.*"gain_baseline":\([0-9.]*\).*/\1/p' best >gain &&
	awk -v least="$3" '{ gain = $1 } END { exit !(gain > least) }' gain
}

# wait_for_attempts <n>: until that many are in git; fails if the search, whose
# process is $pid, ends before.
wait_for_attempts () {
	until test "$(attempts 2>/dev/null | wc -l)" -ge "$1"
	do
		kill -0 "$pid" || return 1
		sleep 0.1
	done
}
