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
    (i32.shr_u (i32.sub (local.get $out) (i32.const 1024)) (i32.const 3)))

  ;; Finds the longest stretches of bytes of a class that have at least 40 of them, as `endsOfStretches` and
  ;; `endsOfWideStretches` do: a stretch that begins somewhere holds the byte 39 behind it, so most bytes need not be
  ;; looked at. Each is a start, with its highest bit set where `worth` says so, and an end. What reaches the end of the
  ;; bytes is left to the next call, from the address in 144 on, unless these bytes are the last.
  ;;
  ;; Memory: 66560 the classes of each byte (1 digits, 2 lists, 4 escapes, 8 hex, 16 base64), 66816 its value in base64.
  (func $isMember (param $at i32) (param $class i32) (param $width i32) (result i32)
    (i32.and
      (i32.ne
        (i32.and (i32.load8_u offset=66560 (i32.load8_u (local.get $at))) (local.get $class))
        (i32.const 0))
      (i32.or
        (i32.eq (local.get $width) (i32.const 1))
        (i32.eqz (i32.load8_u offset=1 (local.get $at))))))
  (func (export "runs")
    (param $start i32) (param $end i32) (param $class i32) (param $width i32) (param $isLast i32) (result i32)
    (local $out i32) (local $other i32) (local $at i32) (local $flag i32)
    (local.set $out (i32.const 1024))
    (block $done
      (loop $next
        (local.set $at (i32.add (local.get $start) (i32.mul (local.get $width) (i32.const 39))))
        (br_if $done
          (i32.gt_u (i32.add (local.get $at) (local.get $width)) (local.get $end)))
        (local.set $other (local.get $at))
        (block $found
          (loop $back
            (br_if $found (i32.lt_s (local.get $other) (local.get $start)))
            (br_if $found
              (i32.eqz (call $isMember (local.get $other) (local.get $class) (local.get $width))))
            (local.set $other (i32.sub (local.get $other) (local.get $width)))
            (br $back)))
        (if (i32.lt_s (local.get $other) (local.get $start))
          (then
            (block $ended
              (loop $on
                (local.set $at (i32.add (local.get $at) (local.get $width)))
                (br_if $ended
                  (i32.gt_u (i32.add (local.get $at) (local.get $width)) (local.get $end)))
                (br_if $on (call $isMember (local.get $at) (local.get $class) (local.get $width))))
              )
            (local.set $flag (i32.const 1))
            (if (i32.gt_u (i32.add (local.get $at) (local.get $width)) (local.get $end))
              (then (br_if $done (i32.eqz (local.get $isLast))))
              (else
                (if (i32.eq (local.get $class) (i32.const 1))
                  (then
                    (if (i32.eq (local.get $width) (i32.const 1))
                      (then (local.set $flag (call $worth (local.get $start) (local.get $at)))))))))
            (if (i32.or (local.get $flag) (call $isLine (local.get $start) (local.get $at)))
              (then
                (i32.store offset=0 (local.get $out)
                  (i32.or (local.get $start) (i32.shl (local.get $flag) (i32.const 31))))
                (i32.store offset=4 (local.get $out) (local.get $at))
                (local.set $out (i32.add (local.get $out) (i32.const 8)))))
            (local.set $other (local.get $at))))
        (local.set $start (i32.add (local.get $other) (local.get $width)))
        (br $next)))
    (i32.store offset=144 (i32.const 0) (local.get $start))
    (i32.shr_u (i32.sub (local.get $out) (i32.const 1024)) (i32.const 3)))

  ;; Says whether a stretch may be a line of a wrapped value: whole groups of four, with a blank behind them.
  (func $isLine (param $start i32) (param $end i32) (result i32)
    (local $length i32) (local $behind i32)
    (local.set $length (i32.sub (local.get $end) (local.get $start)))
    (local.set $behind (i32.load8_u (local.get $end)))
    (i32.and
      (i32.and
        (i32.ge_u (local.get $length) (i32.const 60))
        (i32.eqz (i32.and (local.get $length) (i32.const 3))))
      (i32.or
        (i32.or
          (i32.eq (local.get $behind) (i32.const 10))
          (i32.eq (local.get $behind) (i32.const 13)))
        (i32.or
          (i32.eq (local.get $behind) (i32.const 9))
          (i32.eq (local.get $behind) (i32.const 32))))))

  ;; Says whether decoding would look closer: an escape, 40 hexadecimal digits, or base64 that may hold something.
  (func $worth (param $start i32) (param $end i32) (result i32)
    (local $at i32) (local $part i32) (local $hex i32) (local $run i32) (local $padded i32)
    (local.set $at (local.get $start))
    (local.set $run (local.get $start))
    (loop $next
      (local.set $part (i32.load8_u offset=66560 (i32.load8_u (local.get $at))))
      (if (i32.and (local.get $part) (i32.const 16))
        (then
          (local.set $hex
            (select
              (i32.add (local.get $hex) (i32.const 1))
              (i32.const 0)
              (i32.and (local.get $part) (i32.const 8))))
          (if (i32.eq (local.get $hex) (i32.const 40)) (then (return (i32.const 1)))))
        (else
          (if (i32.and (local.get $part) (i32.const 4)) (then (return (i32.const 1))))
          ;; Padding belongs to what is decoded.
          (local.set $padded (local.get $at))
          (loop $padding
            (if (i32.lt_u (local.get $padded) (local.get $end))
              (then
                (if (i32.lt_u (i32.sub (local.get $padded) (local.get $at)) (i32.const 2))
                  (then
                    (if (i32.eq (i32.load8_u (local.get $padded)) (i32.const 0x3d))
                      (then
                        (local.set $padded (i32.add (local.get $padded) (i32.const 1)))
                        (br $padding))))))))
          (if (call $isRunWorth (local.get $run) (local.get $padded)) (then (return (i32.const 1))))
          (local.set $hex (i32.const 0))
          (local.set $run (i32.add (local.get $at) (i32.const 1)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (call $isRunWorth (local.get $run) (local.get $end)))

  (func $sextet (param $at i32) (result i32)
    (i32.load8_u offset=66816 (i32.load8_u (local.get $at))))
  (func $isOneSided (param $at i32) (result i32)
    (local $side i32) (local $end i32)
    (local.set $side (i32.shr_u (call $sextet (local.get $at)) (i32.const 5)))
    (local.set $end (i32.add (local.get $at) (i32.const 20)))
    (loop $next
      (if
        (i32.or
          (i32.or
            (i32.ne (i32.shr_u (call $sextet (local.get $at)) (i32.const 5)) (local.get $side))
            (i32.ne
              (i32.and
                (i32.shr_u (call $sextet (i32.add (local.get $at) (i32.const 1))) (i32.const 3))
                (i32.const 1))
              (local.get $side)))
          (i32.ne
            (i32.and
              (i32.shr_u (call $sextet (i32.add (local.get $at) (i32.const 2))) (i32.const 1))
              (i32.const 1))
            (local.get $side)))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (i32.const 1))
  (func $isRunWorth (param $start i32) (param $end i32) (result i32)
    (local $at i32) (local $last i32) (local $second i32)
    (if (i32.lt_s (i32.sub (local.get $end) (local.get $start)) (i32.const 40))
      (then (return (i32.const 0))))
    ;; Data of gzip, zlib and JSON begins with `H4`, `eJ`, `eN`, `eA`, `eF` and `ey`.
    (local.set $second (i32.load8_u offset=1 (local.get $start)))
    (if (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x48))
      (then (if (i32.eq (local.get $second) (i32.const 0x34)) (then (return (i32.const 1))))))
    (if (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x65))
      (then
        (if
          (i32.or
            (i32.or
              (i32.eq (local.get $second) (i32.const 0x4a))
              (i32.eq (local.get $second) (i32.const 0x4e)))
            (i32.or
              (i32.or
                (i32.eq (local.get $second) (i32.const 0x41))
                (i32.eq (local.get $second) (i32.const 0x46)))
              (i32.eq (local.get $second) (i32.const 0x79))))
          (then (return (i32.const 1))))))
    ;; Text in base64: the highest bits of its bytes are the same.
    (local.set $last (i32.sub (local.get $end) (i32.const 23)))
    (if (i32.gt_s (local.get $last) (i32.add (local.get $start) (i32.const 1280)))
      (then (local.set $last (i32.add (local.get $start) (i32.const 1280)))))
    (local.set $at (local.get $start))
    (loop $looks
      (if
        (i32.or
          (i32.or
            (call $isOneSided (local.get $at))
            (call $isOneSided (i32.add (local.get $at) (i32.const 1))))
          (i32.or
            (call $isOneSided (i32.add (local.get $at) (i32.const 2)))
            (call $isOneSided (i32.add (local.get $at) (i32.const 3)))))
        (then (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 20)))
      (br_if $looks (i32.le_s (local.get $at) (local.get $last))))
    (call $mayBeDeflated (local.get $start)))

  ;; Headerless data of deflate: a first block that may be one, and characters of all kinds.
  (func $mayBeDeflated (param $at i32) (result i32)
    (local $end i32) (local $sextet i32) (local $capitals i32) (local $small i32) (local $numbers i32)
    (local.set $sextet
      (i32.and
        (i32.or
          (i32.shl (call $sextet (local.get $at)) (i32.const 2))
          (i32.shr_u (call $sextet (i32.add (local.get $at) (i32.const 1))) (i32.const 4)))
        (i32.const 7)))
    (if (i32.gt_u (i32.sub (local.get $sextet) (i32.const 3)) (i32.const 2))
      (then (return (i32.const 0))))
    (local.set $end (i32.add (local.get $at) (i32.const 40)))
    (loop $next
      (local.set $sextet (call $sextet (local.get $at)))
      (local.set $capitals
        (i32.add (local.get $capitals) (i32.lt_u (local.get $sextet) (i32.const 26))))
      (local.set $small
        (i32.add (local.get $small)
          (i32.lt_u (i32.sub (local.get $sextet) (i32.const 26)) (i32.const 26))))
      (local.set $numbers
        (i32.add (local.get $numbers)
          (i32.lt_u (i32.sub (local.get $sextet) (i32.const 52)) (i32.const 10))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (if
      (i32.eqz
        (i32.and
          (i32.and
            (i32.gt_u (local.get $capitals) (i32.const 4))
            (i32.gt_u (local.get $small) (i32.const 4)))
          (i32.and
            (i32.gt_u (local.get $numbers) (i32.const 1))
            (i32.gt_u
              (i32.add (i32.add (local.get $capitals) (local.get $small)) (local.get $numbers))
              (i32.const 34)))))
      (then (return (i32.const 0))))
    ;; 24 characters as 18 bytes.
    (local.set $at (i32.sub (local.get $end) (i32.const 40)))
    (local.set $end (i32.const 512))
    (loop $groups
      (local.set $sextet
        (i32.or
          (i32.or
            (i32.shl (call $sextet (local.get $at)) (i32.const 18))
            (i32.shl (call $sextet (i32.add (local.get $at) (i32.const 1))) (i32.const 12)))
          (i32.or
            (i32.shl (call $sextet (i32.add (local.get $at) (i32.const 2))) (i32.const 6))
            (call $sextet (i32.add (local.get $at) (i32.const 3))))))
      (i32.store8 offset=0 (local.get $end) (i32.shr_u (local.get $sextet) (i32.const 16)))
      (i32.store8 offset=1 (local.get $end) (i32.shr_u (local.get $sextet) (i32.const 8)))
      (i32.store8 offset=2 (local.get $end) (local.get $sextet))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $end (i32.add (local.get $end) (i32.const 3)))
      (br_if $groups (i32.lt_u (local.get $end) (i32.const 530))))
    (call $beginsDeflated))

  ;; The same as `beginsDeflated`, of the bytes at 512, for blocks with the codes of the format and with their own.
  (global $bit (mut i32) (i32.const 0))
  (func $nextBit (result i32)
    (local $at i32)
    (local.set $at (global.get $bit))
    (global.set $bit (i32.add (local.get $at) (i32.const 1)))
    (i32.and
      (i32.shr_u
        (i32.load8_u offset=512 (i32.shr_u (local.get $at) (i32.const 3)))
        (i32.and (local.get $at) (i32.const 7)))
      (i32.const 1)))
  (func $bits (param $count i32) (result i32)
    (local $value i32) (local $place i32)
    (loop $next
      (local.set $value (i32.or (local.get $value) (i32.shl (call $nextBit) (local.get $place))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $place) (local.get $count))))
    (local.get $value))
  (func $beginsDeflated (result i32)
    (local $left i32) (local $code i32) (local $place i32) (local $room i32)
    (global.set $bit (i32.const 1))
    (if (i32.eq (call $bits (i32.const 2)) (i32.const 1))
      (then
        (local.set $left (i32.const 3))
        (loop $characters
          (local.set $code (i32.const 0))
          (local.set $place (i32.const 8))
          (loop $places
            (local.set $code (i32.or (i32.shl (local.get $code) (i32.const 1)) (call $nextBit)))
            (local.set $place (i32.sub (local.get $place) (i32.const 1)))
            (br_if $places (local.get $place)))
          ;; Printable characters, tabs and line feeds: 0x20 to 0x7e, 9 and 10.
          (local.set $code (i32.sub (local.get $code) (i32.const 0x30)))
          (if
            (i32.eqz
              (i32.or
                (i32.lt_u (i32.sub (local.get $code) (i32.const 0x20)) (i32.const 0x5f))
                (i32.lt_u (i32.sub (local.get $code) (i32.const 9)) (i32.const 2))))
            (then (return (i32.const 0))))
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br_if $characters (local.get $left)))
        (return (i32.const 1))))
    (if (i32.gt_u (call $bits (i32.const 5)) (i32.const 29)) (then (return (i32.const 0))))
    (if (i32.gt_u (call $bits (i32.const 5)) (i32.const 29)) (then (return (i32.const 0))))
    (local.set $room (i32.const 128))
    (local.set $left (i32.add (call $bits (i32.const 4)) (i32.const 4)))
    (loop $lengths
      (local.set $code (call $bits (i32.const 3)))
      (if (local.get $code)
        (then
          (local.set $room
            (i32.sub (local.get $room) (i32.shr_u (i32.const 128) (local.get $code))))))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $lengths (local.get $left)))
    (i32.eqz (local.get $room))))
