//go:build amd64 && !purego

#include "textflag.h"

// None of these fuses a multiplication with an addition: each float operation
// rounds by itself, as in plain Go.

// func maxAbs8(x *float32, n int) float32
TEXT ·maxAbs8(SB), NOSPLIT, $0-20
	MOVQ     x+0(FP), SI
	MOVQ     n+8(FP), CX
	VPCMPEQD Y1, Y1, Y1
	VPSRLD   $1, Y1, Y1
	VPXOR    Y0, Y0, Y0
	XORQ     AX, AX

loop:
	VANDPS (SI)(AX*4), Y1, Y2
	VMAXPS Y2, Y0, Y0
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    loop

	VEXTRACTF128 $1, Y0, X2
	VMAXPS       X2, X0, X0
	VSHUFPS      $0x4E, X0, X0, X2
	VMAXPS       X2, X0, X0
	VSHUFPS      $0xB1, X0, X0, X2
	VMAXPS       X2, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func quantise8x2(dst *int16, x *float32, n int, inv float32)
TEXT ·quantise8x2(SB), NOSPLIT, $0-28
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS inv+24(FP), Y3
	XORQ         AX, AX

loop:
	VMULPS    (SI)(AX*4), Y3, Y0
	VMULPS    32(SI)(AX*4), Y3, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xD8, Y0, Y0
	VMOVDQU   Y0, (DI)(AX*2)
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       loop
	VZEROUPPER
	RET

// func addRelu8(dst, x *float32, acc *int32, s, b *float32, n int)
TEXT ·addRelu8(SB), NOSPLIT, $0-48
	MOVQ  dst+0(FP), DI
	MOVQ  x+8(FP), SI
	MOVQ  acc+16(FP), DX
	MOVQ  s+24(FP), R8
	MOVQ  b+32(FP), R9
	MOVQ  n+40(FP), CX
	VPXOR Y3, Y3, Y3
	XORQ  AX, AX

loop:
	VCVTDQ2PS (DX)(AX*4), Y0
	VMULPS    (R8)(AX*4), Y0, Y0
	VADDPS    (R9)(AX*4), Y0, Y0
	VMAXPS    Y3, Y0, Y0
	VADDPS    (SI)(AX*4), Y0, Y0
	VMOVUPS   Y0, (DI)(AX*4)
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       loop
	VZEROUPPER
	RET

// func addCentred8(dst, x *float32, n int, mean, gain float32)
TEXT ·addCentred8(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS mean+24(FP), Y2
	VBROADCASTSS gain+28(FP), Y3
	XORQ         AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0
	VSUBPS  Y2, Y0, Y0
	VMULPS  Y3, Y0, Y0
	VADDPS  (DI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET

// func sum8(l *Lanes, x *float32, n int)
TEXT ·sum8(SB), NOSPLIT, $0-24
	MOVQ    l+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    n+16(FP), CX
	VMOVUPS (DI), Y0
	XORQ    AX, AX

loop:
	VADDPS (SI)(AX*4), Y0, Y0
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    loop
	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET

// func sumSquares8(l *Lanes, x *float32, n int, mean float32)
TEXT ·sumSquares8(SB), NOSPLIT, $0-28
	MOVQ         l+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS mean+24(FP), Y2
	VMOVUPS      (DI), Y0
	XORQ         AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y1
	VSUBPS  Y2, Y1, Y1
	VMULPS  Y1, Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     loop
	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET
