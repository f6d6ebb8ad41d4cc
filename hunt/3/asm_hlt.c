// EXP reach safe
void reach_error(void){}
int main(void){ asm volatile("int3"); reach_error(); }
