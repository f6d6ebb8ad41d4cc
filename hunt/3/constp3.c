// EXP reach unsafe
void reach_error(void){}
int main(void){ if(__builtin_constant_p("abc")) reach_error(); }
