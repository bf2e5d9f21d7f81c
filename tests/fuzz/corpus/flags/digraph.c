%:define EPS 3
