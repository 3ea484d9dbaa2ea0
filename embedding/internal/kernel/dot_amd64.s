//go:build amd64 && !purego

#include "textflag.h"

// One activation row at offset R14 against the two widened weight rows in
// Y8 and Y9.
#define ROW(base, acc0, acc1) \
	VMOVDQU  (base)(R14*2), Y10 \
	VPMADDWD Y8, Y10, Y11       \
	VPMADDWD Y9, Y10, Y12       \
	VPADDD   Y11, acc0, acc0    \
	VPADDD   Y12, acc1, acc1

// func tile4x2(out *int32, outStride int, a *int16, stride int, groups int, w *int8, wStride int, n int)
TEXT ·tile4x2(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ outStride+8(FP), SI
	MOVQ a+16(FP), AX
	MOVQ stride+24(FP), R9
	MOVQ groups+32(FP), R10
	MOVQ w+40(FP), R11
	MOVQ wStride+48(FP), R12
	MOVQ n+56(FP), R13
	ADDQ R11, R12

group:
	LEAQ  (AX)(R9*1), BX
	LEAQ  (AX)(R9*2), CX
	LEAQ  (BX)(R9*2), DX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ  R14, R14

step:
	VPMOVSXBW (R11)(R14*1), Y8
	VPMOVSXBW (R12)(R14*1), Y9
	ROW(AX, Y0, Y1)
	ROW(BX, Y2, Y3)
	ROW(CX, Y4, Y5)
	ROW(DX, Y6, Y7)
	ADDQ      $16, R14
	CMPQ      R14, R13
	JLT       step

	// Y0 becomes row 0 of both outputs, then row 1; Y4 rows 2 and 3.
	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      Y5, Y4, Y4
	VPHADDD      Y7, Y6, Y6
	VPHADDD      Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VMOVQ        X0, (DI)
	VPEXTRQ      $1, X0, (DI)(SI*1)
	LEAQ         (DI)(SI*2), DI
	VMOVQ        X4, (DI)
	VPEXTRQ      $1, X4, (DI)(SI*1)
	LEAQ         (DI)(SI*2), DI
	LEAQ         (AX)(R9*4), AX
	DECQ         R10
	JNZ          group
	VZEROUPPER
	RET

// func row1x4(out *int32, a *int16, groups int, w *int8, wStride int, n int)
TEXT ·row1x4(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ groups+16(FP), R10
	MOVQ w+24(FP), AX
	MOVQ wStride+32(FP), R9
	MOVQ n+40(FP), R13

rows:
	LEAQ  (AX)(R9*1), BX
	LEAQ  (AX)(R9*2), CX
	LEAQ  (BX)(R9*2), DX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  R14, R14

cols:
	VMOVDQU   (SI)(R14*2), Y8
	VPMOVSXBW (AX)(R14*1), Y4
	VPMOVSXBW (BX)(R14*1), Y5
	VPMOVSXBW (CX)(R14*1), Y6
	VPMOVSXBW (DX)(R14*1), Y7
	VPMADDWD  Y8, Y4, Y4
	VPMADDWD  Y8, Y5, Y5
	VPMADDWD  Y8, Y6, Y6
	VPMADDWD  Y8, Y7, Y7
	VPADDD    Y4, Y0, Y0
	VPADDD    Y5, Y1, Y1
	VPADDD    Y6, Y2, Y2
	VPADDD    Y7, Y3, Y3
	ADDQ      $16, R14
	CMPQ      R14, R13
	JLT       cols

	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (DI)
	ADDQ         $16, DI
	LEAQ         (AX)(R9*4), AX
	DECQ         R10
	JNZ          rows
	VZEROUPPER
	RET
