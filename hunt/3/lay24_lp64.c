// EXP reach safe args=[--data-model lp64]
void reach_error(void){}
#pragma pack(push,4)
struct T24 { char c; double d; short s __attribute__((aligned(8))); };
#pragma pack(pop)
int main(void){ if(sizeof(struct T24)!=16||_Alignof(struct T24)!=4) reach_error(); return 0; }
