;; Marks the places that can be a needle, in one pass over the bytes.
;;
;; A place is marked where its four bytes pass the nibble tables of one of eight buckets (Teddy's way: a table for the
;; low and one for the high half of each of the four bytes, one bit for each bucket), or where the differences between
;; its four bytes are those of the prefix, whatever single byte the text was XORed with. What passes a bucket is then
;; looked up byte by byte: 64 bits for each byte at each of the four places say which patterns it fits, and a bit has to
;; be left in all of them. Marks are a superset even so: whoever calls compares the bytes. No index of a table is over
;; 15, so that the relaxed swizzle does what the other one does.
;;
;; Memory: 0 the eight tables of 16 bytes, 128 scratch, 144 where to go on, 1024 the marks (address, buckets) of 8 bytes
;; each up to 66560, 66560 the patterns of each byte in four tables of 2048 bytes, 74752 the bytes, followed by at least
;; 32 that are 0.
(module
  (memory (export "memory") 6)
  (func (export "mark") (param $at i32) (param $end i32) (param $d0 i32) (param $d1 i32) (param $d2 i32) (result i32)
    (local $out i32) (local $bits i32) (local $xbits i32) (local $lane i32) (local $place i32) (local $xored i32) (local $fits i64)
    (local $lo0 v128) (local $lo1 v128) (local $lo2 v128) (local $lo3 v128)
    (local $hi0 v128) (local $hi1 v128) (local $hi2 v128) (local $hi3 v128)
    (local $x0 v128) (local $x1 v128) (local $x2 v128)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (local $low v128) (local $hit v128) (local $xhit v128)
    (local.set $out (i32.const 1024))
    (local.set $low (i8x16.splat (i32.const 15)))
    (local.set $x0 (i8x16.splat (local.get $d0)))
    (local.set $x1 (i8x16.splat (local.get $d1)))
    (local.set $x2 (i8x16.splat (local.get $d2)))
    (local.set $lo0 (v128.load offset=0 (i32.const 0)))
    (local.set $hi0 (v128.load offset=16 (i32.const 0)))
    (local.set $lo1 (v128.load offset=32 (i32.const 0)))
    (local.set $hi1 (v128.load offset=48 (i32.const 0)))
    (local.set $lo2 (v128.load offset=64 (i32.const 0)))
    (local.set $hi2 (v128.load offset=80 (i32.const 0)))
    (local.set $lo3 (v128.load offset=96 (i32.const 0)))
    (local.set $hi3 (v128.load offset=112 (i32.const 0)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v0 (v128.load offset=0 (local.get $at)))
        (local.set $v1 (v128.load offset=1 (local.get $at)))
        (local.set $v2 (v128.load offset=2 (local.get $at)))
        (local.set $v3 (v128.load offset=3 (local.get $at)))
        (local.set $hit
          (v128.and
            (v128.and
              (v128.and
                (i8x16.relaxed_swizzle (local.get $lo0) (v128.and (local.get $v0) (local.get $low)))
                (i8x16.relaxed_swizzle (local.get $hi0) (i8x16.shr_u (local.get $v0) (i32.const 4))))
              (v128.and
                (i8x16.relaxed_swizzle (local.get $lo1) (v128.and (local.get $v1) (local.get $low)))
                (i8x16.relaxed_swizzle (local.get $hi1) (i8x16.shr_u (local.get $v1) (i32.const 4)))))
            (v128.and
              (v128.and
                (i8x16.relaxed_swizzle (local.get $lo2) (v128.and (local.get $v2) (local.get $low)))
                (i8x16.relaxed_swizzle (local.get $hi2) (i8x16.shr_u (local.get $v2) (i32.const 4))))
              (v128.and
                (i8x16.relaxed_swizzle (local.get $lo3) (v128.and (local.get $v3) (local.get $low)))
                (i8x16.relaxed_swizzle (local.get $hi3) (i8x16.shr_u (local.get $v3) (i32.const 4)))))))
        (local.set $xhit
          (v128.and
            (v128.and
              (i8x16.eq (v128.xor (local.get $v0) (local.get $v1)) (local.get $x0))
              (i8x16.eq (v128.xor (local.get $v1) (local.get $v2)) (local.get $x1)))
            (i8x16.eq (v128.xor (local.get $v2) (local.get $v3)) (local.get $x2))))
        (if (v128.any_true (v128.or (local.get $hit) (local.get $xhit)))
          (then
            (v128.store offset=128 (i32.const 0) (local.get $hit))
            (local.set $xbits (i8x16.bitmask (local.get $xhit)))
            (local.set $bits
              (i32.or
                (local.get $xbits)
                (i32.xor
                  (i8x16.bitmask (i8x16.eq (local.get $hit) (i8x16.splat (i32.const 0))))
                  (i32.const 65535))))
            (loop $lanes
              (local.set $lane (i32.ctz (local.get $bits)))
              (local.set $place (i32.add (local.get $at) (local.get $lane)))
              (local.set $xored
                (i32.and (i32.shr_u (local.get $xbits) (local.get $lane)) (i32.const 1)))
              (local.set $fits
                (i64.and
                  (i64.and
                    (i64.load offset=66560 (i32.shl (i32.load8_u offset=0 (local.get $place)) (i32.const 3)))
                    (i64.load offset=68608 (i32.shl (i32.load8_u offset=1 (local.get $place)) (i32.const 3))))
                  (i64.and
                    (i64.load offset=70656 (i32.shl (i32.load8_u offset=2 (local.get $place)) (i32.const 3)))
                    (i64.load offset=72704 (i32.shl (i32.load8_u offset=3 (local.get $place)) (i32.const 3))))))
              (if (i32.or (local.get $xored) (i64.ne (local.get $fits) (i64.const 0)))
                (then
                  (i32.store offset=0 (local.get $out) (local.get $place))
                  (i32.store offset=4 (local.get $out)
                    (i32.or
                      (i32.load8_u offset=128 (local.get $lane))
                      (i32.shl (local.get $xored) (i32.const 8))))
                  (local.set $out (i32.add (local.get $out) (i32.const 8)))))
              (local.set $bits
                (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
              (br_if $lanes (local.get $bits)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $next (i32.le_u (local.get $out) (i32.const 66432)))))
    (i32.store offset=144 (i32.const 0) (local.get $at))
    (i32.shr_u (i32.sub (local.get $out) (i32.const 1024)) (i32.const 3))))
