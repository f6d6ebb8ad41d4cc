// EXP reach unsafe
void reach_error(void){}
void __VERIFIER_assume(int c){ }
int main(void){ __VERIFIER_assume(0); reach_error(); }
