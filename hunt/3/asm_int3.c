// EXP reach safe
void reach_error(void){}
int main(void){ asm volatile("ud2"); reach_error(); }
