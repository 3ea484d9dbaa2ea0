//go:build arm64 && !purego

#include "textflag.h"

// Instructions that the assembler has no names for, by register number.
// SXTL and SXTL2 widen the low and high eight bytes of n into d; SMLAL and
// SMLAL2 add the low and high four products of n and m to d.
#define SXTL(n, d)      WORD $(0x0F08A400 | (n<<5) | d)
#define SXTL2(n, d)     WORD $(0x4F08A400 | (n<<5) | d)
#define SMLAL(m, n, d)  WORD $(0x0E608000 | (m<<16) | (n<<5) | d)
#define SMLAL2(m, n, d) WORD $(0x4E608000 | (m<<16) | (n<<5) | d)

// Sixteen products of the activations in V22, V23 and widened weights.
#define SUM16(low, high, d) \
	SMLAL(low, 22, d)   \
	SMLAL2(low, 22, d)  \
	SMLAL(high, 23, d)  \
	SMLAL2(high, 23, d)

// One activation row against the two weight rows in V18, V19 and V20, V21.
#define ROW(base, d0, d1)                 \
	VLD1.P 32(base), [V22.H8, V23.H8] \
	SUM16(18, 19, d0)                 \
	SUM16(20, 21, d1)

// One weight row against the activations in V22, V23.
#define COLUMN(base, d)           \
	VLD1.P 16(base), [V16.B16] \
	SXTL(16, 18)               \
	SXTL2(16, 19)              \
	SUM16(18, 19, d)

// func tile4x2(out *int32, outStride int, a *int16, stride int, groups int, w *int8, wStride int, n int)
TEXT ·tile4x2(SB), NOSPLIT, $0-64
	MOVD out+0(FP), R0
	MOVD outStride+8(FP), R1
	MOVD a+16(FP), R2
	MOVD stride+24(FP), R3
	MOVD groups+32(FP), R4
	MOVD w+40(FP), R5
	MOVD wStride+48(FP), R6
	MOVD n+56(FP), R7
	ADD  R5, R6, R6

group:
	MOVD R2, R8
	ADD  R3, R8, R9
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	ADD  R3, R11, R2
	MOVD R5, R12
	MOVD R6, R13
	MOVD R7, R14
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

step:
	VLD1.P 16(R12), [V16.B16]
	VLD1.P 16(R13), [V17.B16]
	SXTL(16, 18)
	SXTL2(16, 19)
	SXTL(17, 20)
	SXTL2(17, 21)
	ROW(R8, 0, 1)
	ROW(R9, 2, 3)
	ROW(R10, 4, 5)
	ROW(R11, 6, 7)
	SUBS   $16, R14
	BNE    step

	// V0 becomes rows 0 and 1 of both outputs, V4 rows 2 and 3.
	VADDP V1.S4, V0.S4, V0.S4
	VADDP V3.S4, V2.S4, V2.S4
	VADDP V2.S4, V0.S4, V0.S4
	VADDP V5.S4, V4.S4, V4.S4
	VADDP V7.S4, V6.S4, V6.S4
	VADDP V6.S4, V4.S4, V4.S4
	VMOV  V0.D[0], R14
	MOVD  R14, (R0)
	ADD   R1, R0
	VMOV  V0.D[1], R14
	MOVD  R14, (R0)
	ADD   R1, R0
	VMOV  V4.D[0], R14
	MOVD  R14, (R0)
	ADD   R1, R0
	VMOV  V4.D[1], R14
	MOVD  R14, (R0)
	ADD   R1, R0
	SUBS  $1, R4
	BNE   group
	RET

// func row1x4(out *int32, a *int16, groups int, w *int8, wStride int, n int)
TEXT ·row1x4(SB), NOSPLIT, $0-48
	MOVD out+0(FP), R0
	MOVD a+8(FP), R1
	MOVD groups+16(FP), R4
	MOVD w+24(FP), R5
	MOVD wStride+32(FP), R6
	MOVD n+40(FP), R7

rows:
	MOVD R5, R8
	ADD  R6, R8, R9
	ADD  R6, R9, R10
	ADD  R6, R10, R11
	ADD  R6, R11, R5
	MOVD R1, R12
	MOVD R7, R14
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

cols:
	VLD1.P 32(R12), [V22.H8, V23.H8]
	COLUMN(R8, 0)
	COLUMN(R9, 1)
	COLUMN(R10, 2)
	COLUMN(R11, 3)
	SUBS   $16, R14
	BNE    cols

	VADDP  V1.S4, V0.S4, V0.S4
	VADDP  V3.S4, V2.S4, V2.S4
	VADDP  V2.S4, V0.S4, V0.S4
	VST1.P [V0.S4], 16(R0)
	SUBS   $1, R4
	BNE    rows
	RET
