;; Marks the places that can be a needle, in one pass over the bytes.
;;
;; A place is marked where its four bytes pass the nibble tables of one of eight buckets (Teddy's way: a table for the
;; low and one for the high half of each of the four bytes, one bit for each bucket), or where the differences between
;; its four bytes are those of the prefix, whatever single byte the text was XORed with. What passes a bucket is then
;; looked up byte by byte: 64 bits for each byte at each of the four places say which patterns it fits, and a bit has to
;; be left in all of them. Marks are a superset even so: whoever calls compares the bytes. No index of a table is over
;; 15, so that the relaxed swizzle does what the other one does.
;;
;; `runs` tells where characters of a class follow each other: 64 bytes at a time become a mask of a bit for each, and runs
;; of bits are cut out of the masks. A byte belongs to a class where the table of its low half and that of its high half
;; have a bit in common. A character in UTF-16 is one of the first class and a zero: the two are a run of two bits. Two
;; bytes that begin compressed data are written down as well, as runs of a kind of their own that have no end.
;;
;; Memory: 0 the eight tables of 16 bytes, 128 scratch, 144 where to go on, 160 the tables of the classes (low and high
;; half of the first, of the second), 224 where a run of each kind has begun (-1: none has), 236 whether the last byte is
;; the first half of a character, 1024 the marks (address, buckets) of 8 bytes each up to 66560 or the runs (start, end,
;; kind) of 12 bytes each, 66560 the patterns of each byte in four tables of 2048 bytes, 74752 the bytes, followed by at
;; least 32 that are 0 or, for `runs`, by 128 that belong to no class.
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
    (i32.shr_u (i32.sub (local.get $out) (i32.const 1024)) (i32.const 3)))

  ;; Where 16 bytes belong to a class, a bit for each.
  (func $members (param $low v128) (param $high v128) (param $tables i32) (result i64)
    (i64.extend_i32_u
      (i32.xor
        (i8x16.bitmask
          (i8x16.eq
            (v128.and
              (i8x16.relaxed_swizzle (v128.load offset=0 (local.get $tables)) (local.get $low))
              (i8x16.relaxed_swizzle (v128.load offset=16 (local.get $tables)) (local.get $high)))
            (i8x16.splat (i32.const 0))))
        (i32.const 65535))))

  ;; Writes down a run that has ended, where it is long enough.
  (func $emit (param $out i32) (param $start i32) (param $end i32) (param $least i32) (param $kind i32) (result i32)
    (if (i32.lt_s (i32.sub (local.get $end) (local.get $start)) (local.get $least))
      (then (return (local.get $out))))
    (i32.store offset=0 (local.get $out) (local.get $start))
    (i32.store offset=4 (local.get $out) (local.get $end))
    (i32.store offset=8 (local.get $out) (local.get $kind))
    (i32.add (local.get $out) (i32.const 12)))

  ;; The runs of a kind that end in 64 bits, and the one that goes on behind them. `at` is the place of the first bit.
  (func $cut (param $bits i64) (param $at i32) (param $least i32) (param $kind i32) (param $out i32) (result i32)
    (local $open i32) (local $length i32) (local $long i64) (local $cell i32) (local $first i32) (local $last i32)
    (local.set $cell (i32.shl (local.get $kind) (i32.const 2)))
    (local.set $open (i32.load offset=224 (local.get $cell)))
    (if (i32.ne (local.get $open) (i32.const -1))
      (then
        (if (i64.eq (local.get $bits) (i64.const -1)) (then (return (local.get $out))))
        (local.set $length (i32.wrap_i64 (i64.ctz (i64.xor (local.get $bits) (i64.const -1)))))
        (local.set $out
          (call $emit (local.get $out) (local.get $open) (i32.add (local.get $at) (local.get $length))
            (local.get $least) (local.get $kind)))
        (local.set $bits
          (i64.and (local.get $bits)
            (i64.shl (i64.const -1) (i64.extend_i32_u (local.get $length)))))
        (i32.store offset=224 (local.get $cell) (i32.const -1))))
    (if (i64.eqz (local.get $bits)) (then (return (local.get $out))))
    ;; A bit is left where 40 of them begin.
    (if (i32.le_u (local.get $least) (i32.const 40))
      (then
        (local.set $long (i64.and (local.get $bits) (i64.shr_u (local.get $bits) (i64.const 1))))
        (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 2))))
        (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 4))))
        (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 8))))
        (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 16))))
        (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 8))))
        (if (i64.ne (local.get $long) (i64.const 0))
          (then
            (local.set $first (i32.wrap_i64 (i64.ctz (local.get $long))))
            (local.set $last
              (i32.add (local.get $first)
                (i32.wrap_i64
                  (i64.ctz
                    (i64.xor
                      (i64.shr_u (local.get $bits) (i64.extend_i32_u (local.get $first)))
                      (i64.const -1))))))
            ;; One that reaches the last bit may go on.
            (if (i32.lt_u (local.get $last) (i32.const 64))
              (then
                (local.set $out
                  (call $emit (local.get $out)
                    (i32.add (local.get $at) (local.get $first))
                    (i32.add (local.get $at) (local.get $last))
                    (local.get $least) (local.get $kind)))))))))
    (if (i64.lt_s (local.get $bits) (i64.const 0))
      (then
        (i32.store offset=224 (local.get $cell)
          (i32.sub
            (i32.add (local.get $at) (i32.const 64))
            (i32.wrap_i64 (i64.clz (i64.xor (local.get $bits) (i64.const -1))))))))
    (local.get $out))

  ;; `base` is added to an address to give the place in the file.
  (func (export "runs") (param $at i32) (param $end i32) (param $base i32) (result i32)
    (local $out i32) (local $quarter i32) (local $shift i64) (local $pair i64)
    (local $first i64) (local $second i64) (local $zeros i64)
    (local $v v128) (local $low v128) (local $high v128) (local $behind v128) (local $heads i32)
    (local.set $out (i32.const 1024))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $first (i64.const 0))
        (local.set $second (i64.const 0))
        (local.set $zeros (i64.const 0))
        (local.set $quarter (i32.const 0))
        (loop $quarters
          (local.set $v (v128.load (i32.add (local.get $at) (local.get $quarter))))
          (local.set $low (v128.and (local.get $v) (i8x16.splat (i32.const 15))))
          (local.set $high (i8x16.shr_u (local.get $v) (i32.const 4)))
          (local.set $shift (i64.extend_i32_u (local.get $quarter)))
          (local.set $first
            (i64.or (local.get $first)
              (i64.shl (call $members (local.get $low) (local.get $high) (i32.const 160)) (local.get $shift))))
          (local.set $second
            (i64.or (local.get $second)
              (i64.shl (call $members (local.get $low) (local.get $high) (i32.const 192)) (local.get $shift))))
          (local.set $behind (v128.load offset=1 (i32.add (local.get $at) (local.get $quarter))))
          (local.set $zeros
            (i64.or (local.get $zeros)
              (i64.shl
                (i64.extend_i32_u
                  (i8x16.bitmask (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0)))))
                (local.get $shift))))
          ;; Two bytes that begin data of zlib, gzip or zstd.
          (local.set $heads
            (i8x16.bitmask
              (v128.or
                (v128.and
                  (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x78)))
                  (v128.or
                    (v128.or
                      (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0x01)))
                      (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0x5e))))
                    (v128.or
                      (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0x9c)))
                      (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0xda))))))
                (v128.or
                  (v128.and
                    (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x1f)))
                    (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0x8b))))
                  (v128.and
                    (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x28)))
                    (i8x16.eq (local.get $behind) (i8x16.splat (i32.const 0xb5))))))))
          (if (local.get $heads)
            (then
              (loop $each
                (local.set $out
                  (call $emit (local.get $out)
                    (i32.add
                      (i32.add (i32.add (local.get $at) (local.get $quarter)) (local.get $base))
                      (i32.ctz (local.get $heads)))
                    (i32.const 2147483647) (i32.const 0) (i32.const 3)))
                (local.set $heads
                  (i32.and (local.get $heads) (i32.sub (local.get $heads) (i32.const 1))))
                (br_if $each (local.get $heads)))))
          (local.set $quarter (i32.add (local.get $quarter) (i32.const 16)))
          (br_if $quarters (i32.lt_u (local.get $quarter) (i32.const 64))))
        (local.set $pair (i64.and (local.get $first) (local.get $zeros)))
        (local.set $zeros
          (i64.or
            (i64.or (local.get $pair) (i64.shl (local.get $pair) (i64.const 1)))
            (i64.extend_i32_u (i32.load offset=236 (i32.const 0)))))
        (i32.store offset=236 (i32.const 0) (i32.wrap_i64 (i64.shr_u (local.get $pair) (i64.const 63))))
        (local.set $out
          (call $cut (local.get $first) (i32.add (local.get $at) (local.get $base))
            (i32.const 40) (i32.const 0) (local.get $out)))
        (local.set $out
          (call $cut (local.get $second) (i32.add (local.get $at) (local.get $base))
            (i32.const 40) (i32.const 1) (local.get $out)))
        (local.set $out
          (call $cut (local.get $zeros) (i32.add (local.get $at) (local.get $base))
            (i32.const 80) (i32.const 2) (local.get $out)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $next (i32.le_u (local.get $out) (i32.const 65536)))))
    (i32.store offset=144 (i32.const 0) (local.get $at))
    (i32.div_u (i32.sub (local.get $out) (i32.const 1024)) (i32.const 12))))
