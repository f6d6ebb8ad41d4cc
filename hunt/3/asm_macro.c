// EXP reach unsafe
void reach_error(void){}
int x;
int main(void){ asm volatile(".macro nop2\n movl $1, x(%rip)\n .endm\n nop2"); if(x) reach_error(); }
