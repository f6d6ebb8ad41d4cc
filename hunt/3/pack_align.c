// EXP reach unsafe
void reach_error(void){}
#pragma pack(push,4)
struct B { char c; short s __attribute__((aligned(8))); };
#pragma pack(pop)
int main(void){ if(sizeof(struct B)==8 && __builtin_offsetof(struct B,s)==4) reach_error(); }
