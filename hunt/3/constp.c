// EXP reach safe
void reach_error(void){} enum{E=4};
int main(void){ int v=3; if(!__builtin_constant_p(5)||!__builtin_constant_p(E+1)||__builtin_constant_p(v)) reach_error(); if(!__builtin_constant_p("abc")) reach_error(); }
