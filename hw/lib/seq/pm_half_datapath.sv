// SPDX-License-Identifier: Apache-2.0
//
// Datapath of a microcoded field engine modulo p = 2^255 - 19 that works on halves of 129 bits: as
// narrow as the three cycles from one microinstruction to the next let it be. It carries out the
// words of pm_butterfly_datapath, without scaled differences.
//
// A word reads x, y and, two cycles later, the factors a, b, from one memory of all registers. The
// butterfly adds and subtracts a half at a time. The halves of the factors and the sums of halves
// pass one multiplier of 130 x 130 bits, pm_half_fold reduces the three products. Every chain ends
// after 75 bits at most: bits from 65 on of every half come a cycle after the others. With Bypass a
// word of 24 cycles after another takes its product past the memory, which is written only then.
//
// Registers: those of the banks of a context lie behind each other: SumBase, DiffBase and MulBase
//           are multiples of 8, so that an index of 3 bits stays within a table. External values
//           are registers too: ConstantExts of them are the same for all contexts, at address
//           NumContexts * Stride on, the others are at ExtBase of each context.
//           The load port writes any register, half by half, in cycles in which no word writes.
// Latency:  words come in the cycles that turn_i names, every third. From a word to the first word
//           that reads what it writes: a product 24 cycles, 27 without Bypass, a sum 6, a
//           difference 9. Flags of a
//           canonical product are looked up 35 cycles after its word, on flag_*_o a cycle later.
//           operand_o: lower half of the first factor 6 cycles after the word, upper half 8; bits
//           from 65 on a cycle later.
// Flags:    mul_canon asks for zero and odd of the product modulo p; what is stored is not
//           canonical but below 2^255 + 2^140, like every product.
// Ranges:   the assembler proves that factors are below 2^258 and subtrahends at most 4p.
// Reset:    clears what is under way, not the registers. Constant time.

module pm_half_datapath
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 7,  // contexts
    parameter bit Bypass = 1'b1,  // products are there three cycles before the memory has them
    parameter int unsigned IndexBits = 3,  // bits of the index
    parameter int unsigned AddrBits = 9,  // 2^AddrBits registers
    parameter int unsigned Stride = 72,  // of a context, 8 n
    parameter int unsigned SumBase = 0,  // first of bank sum
    parameter int unsigned DiffBase = 24,  // of bank diff
    parameter int unsigned MulBase = 40,  // of bank mul
    parameter int unsigned ExtBase = 66,  // external values
    parameter int unsigned ConstantExts = 7,  // common ones
    localparam int unsigned CtxBits = NumContexts > 1 ? $clog2(NumContexts) : 1
) (
    input  logic                  clk_i,         // clock
    input  logic                  rst_ni,        // asynchronous reset, active low
    input  logic                  turn_i,        // a word may come in this cycle
    // Control fields are not looked at here, nor are scaled differences.
    /* verilator lint_off UNUSEDSIGNAL */
    input  word_t                 word_i,        // issued word, zero if none
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic  [  CtxBits-1:0] ctx_i,         // its context
    input  logic  [IndexBits-1:0] index_i,       // digit of the word: index for indexed registers
    input  logic                  neg_i,         // and its sign
    output logic  [        128:0] operand_o,     // first factor
    input  logic                  load_valid_i,  // a half for a register
    output logic                  load_ready_o,  // it is taken
    input  logic  [ AddrBits-1:0] load_addr_i,   // the register
    input  logic                  load_upper_i,  // its upper half
    input  logic  [        128:0] load_data_i,
    input  logic  [  CtxBits-1:0] flag_ctx_i,    // context whose flags are wanted in the next cycle
    output logic                  flag_zero_o,   // its latest product with flags is zero
    output logic                  flag_odd_o     // and odd
);

  localparam int unsigned Turns = 12;  // from a word to its flags

  if (NumContexts * Stride + ConstantExts > 2 ** AddrBits) begin : g_bad_registers
    $fatal(1, "pm_half_datapath: more registers than the memory has");
  end
  if (Stride % 8 != 0 || SumBase % 8 != 0 || DiffBase % 8 != 0 || MulBase % 8 != 0)
  begin : g_bad_base
    $fatal(1, "pm_half_datapath: Stride and bases must be multiples of 8");
  end

  // ---- time -------------------------------------------------------------------------------------
  // phase_q[i]: a word may have come i cycles ago, modulo 3. Numbers of cycles below count from the
  // word.

  logic [2:0] phase_q;

  always_ff @(posedge clk_i) phase_q <= {phase_q[1], turn_i, phase_q[2]};

  // ---- addresses --------------------------------------------------------------------------------

  // Register 0 of each context: a `*` would be turned into a DSP slice.
  function automatic logic [AddrBits-1:0] first(logic [CtxBits-1:0] owner);
    first = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (owner == CtxBits'(c)) first = AddrBits'(Stride * c);
    end
  endfunction

  function automatic logic [AddrBits-1:0] register(logic [CtxBits-1:0] owner, logic [6:0] number);
    return first(owner) + AddrBits'(number);
  endfunction

  function automatic logic [AddrBits-1:0] read_address(
      port_t read, logic [3:0] ext, logic [CtxBits-1:0] owner, logic [IndexBits-1:0] index);
    logic [6:0] number;
    logic common;
    common = read.bank == BankExt && 32'(ext) < ConstantExts;
    unique case (read.bank)
      BankSum:  number = 7'(SumBase) + 7'(read.number);
      BankDiff: number = 7'(DiffBase) + 7'(read.number);
      BankMul:  number = 7'(MulBase) + 7'(read.number);
      default:  number = common ? 7'(ext) : 7'(ExtBase - ConstantExts) + 7'(ext);
    endcase
    if (read.indexed) number ^= 7'(index);
    return (common ? AddrBits'(NumContexts * Stride) : first(owner)) + AddrBits'(number);
  endfunction

  logic [1:0][AddrBits-1:0] raddr_q, late_q;

  always_ff @(posedge clk_i) begin
    if (turn_i) begin
      late_q <= {
        read_address(word_i.rb, word_i.ext, ctx_i, index_i),
        read_address(word_i.ra, word_i.ext, ctx_i, index_i)
      };
      raddr_q <= {
        read_address(word_i.ry, word_i.ext, ctx_i, index_i),
        read_address(word_i.rx, word_i.ext, ctx_i, index_i)
      };
    end else raddr_q <= late_q;
  end

  // ---- the words under way ----------------------------------------------------------------------

  typedef struct packed {
    logic [1:0] mul_a;
    logic [1:0] mul_b;
    logic x2;
    logic y2;
    logic sum_we;
    logic [AddrBits-1:0] sum_addr;
    logic diff_we;
    logic [AddrBits-1:0] diff_addr;
  } early_t;

  typedef struct packed {
    logic canon;
    logic write;
    logic [CtxBits-1:0] owner;
    logic [AddrBits-1:0] addr;
  } product_t;

  early_t [2:1] early_q;  // so many turns ago, for three cycles
  product_t [Turns:1] product_q;
  logic [2:1] stores_q;  // word i turns ago was one at all

  always_ff @(posedge clk_i) begin
    if (turn_i) begin
      early_q[1] <= '{
          mul_a: word_i.mul_a,
          mul_b: word_i.mul_b == 2'd3 ? (neg_i ? 2'd2 : 2'd1) : word_i.mul_b,
          x2: word_i.x2,
          y2: word_i.y2,
          sum_we: word_i.sum_we,
          sum_addr: register(ctx_i, 7'(SumBase) + 7'(word_i.sum_rd)),
          diff_we: word_i.diff_we,
          diff_addr: register(ctx_i, 7'(DiffBase) + 7'(word_i.diff_rd))
      };
      early_q[2] <= early_q[1];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      product_q <= '0;
      stores_q  <= '0;
    end else if (turn_i) begin
      product_q <= {
        product_q[Turns-1:1],
        product_t
'{
            canon: word_i.mul_canon,
            write: word_i.mul_en,
            owner: ctx_i,
            addr: register(ctx_i, 7'(MulBase) + 7'(word_i.mul_rd))
        }
      };
      stores_q <= {stores_q[1], 1'b1};
    end
  end

  // ---- registers --------------------------------------------------------------------------------
  // A product is in lower and upper half in cycles 27 and 29, when the memory gives what was asked
  // for in cycle 25, and stands until factors come.

  logic [1:0][128:0] stored_lo, stored_hi;
  logic [1:0][128:0] lo, hi;  // {y, x} in cycles 3 and 5, {b, a} in cycles 5 and 7
  logic [128:0] product_lo;
  logic [126:0] product_hi;
  logic lo_we_q, hi_we_q, later_we_q;
  logic [AddrBits-1:0] lo_addr_q, hi_addr_q, later_addr_q;
  logic [128:0] lo_data, hi_data;

  pm_half_bank #(
      .AddrBits(AddrBits)
  ) u_bank (
      .clk_i,
      .raddr_i  (raddr_q),
      .lo_o     (stored_lo),
      .hi_o     (stored_hi),
      .lo_we_i  (lo_we_q),
      .lo_addr_i(lo_addr_q),
      .lo_data_i(lo_data),
      .hi_we_i  (hi_we_q),
      .hi_addr_i(hi_addr_q),
      .hi_data_i(hi_data)
  );

  if (Bypass) begin : g_bypass
    logic [1:0] meets;  // the register asked for is that of the product
    logic [5:1][1:0] met_q;  // so many cycles ago

    always_ff @(posedge clk_i) met_q <= {met_q[4:1], meets};

    for (genvar i = 0; i < 2; i++) begin : g_past
      assign meets[i] = product_q[9].write && product_q[9].addr == raddr_q[i];
      assign lo[i][64:0] = met_q[2][i] ? product_lo[64:0] : stored_lo[i][64:0];
      assign lo[i][128:65] = met_q[3][i] ? product_lo[128:65] : stored_lo[i][128:65];
      assign hi[i][64:0] = met_q[4][i] ? product_hi[64:0] : stored_hi[i][64:0];
      assign hi[i][128:65] = met_q[5][i] ? 64'(product_hi[126:65]) : stored_hi[i][128:65];
    end
  end else begin : g_stored
    assign lo = stored_lo;
    assign hi = stored_hi;
  end

  // ---- butterfly --------------------------------------------------------------------------------
  // Operands are chosen in cycle 3 (lower half) and 5 (upper half), doubled by one place to the
  // left: the bit that crosses comes a cycle before the place it goes to.

  logic [1:0] upper_q, upper_late_q;  // a copy for each operand
  logic [1:0] double_q, double_late_q;
  logic [1:0][128:0] operand_q;
  logic [128:0] sum, diff;

  always_ff @(posedge clk_i) begin
    double_q <= phase_q[2] ? {early_q[1].y2, early_q[1].x2} : {early_q[2].y2, early_q[2].x2};
    double_late_q <= double_q;
  end

  pm_copies #(
      .Bits  (1),
      .Copies(2)
  ) u_upper (
      .clk_i,
      .d_i(phase_q[1]),
      .q_o(upper_q)
  );

  pm_copies #(
      .Bits  (1),
      .Copies(2)
  ) u_upper_late (
      .clk_i,
      .d_i(upper_q[0]),
      .q_o(upper_late_q)
  );

  for (genvar i = 0; i < 2; i++) begin : g_operand
    logic lo_64_q, hi_64_q, lo_128_q;
    logic [128:0] lo_twice, hi_twice;

    always_ff @(posedge clk_i) {lo_128_q, lo_64_q, hi_64_q} <= {lo[i][128], lo[i][64], hi[i][64]};
    assign lo_twice = {lo[i][127:65], lo_64_q, lo[i][63:0], 1'b0};
    assign hi_twice = {hi[i][127:65], hi_64_q, hi[i][63:0], lo_128_q};

    always_ff @(posedge clk_i) begin
      unique case ({
        upper_q[i], double_q[i]
      })
        2'b00:   operand_q[i][64:0] <= lo[i][64:0];
        2'b01:   operand_q[i][64:0] <= lo_twice[64:0];
        2'b10:   operand_q[i][64:0] <= hi[i][64:0];
        default: operand_q[i][64:0] <= hi_twice[64:0];
      endcase
      unique case ({
        upper_late_q[i], double_late_q[i]
      })
        2'b00:   operand_q[i][128:65] <= lo[i][128:65];
        2'b01:   operand_q[i][128:65] <= lo_twice[128:65];
        2'b10:   operand_q[i][128:65] <= hi[i][128:65];
        default: operand_q[i][128:65] <= hi_twice[128:65];
      endcase
    end
  end

  pm_half_butterfly u_butterfly (
      .clk_i,
      .lower_i(phase_q[1]),
      .x_i    (operand_q[0]),
      .y_i    (operand_q[1]),
      .sum_o  (sum),
      .diff_o (diff)
  );

  // ---- product ----------------------------------------------------------------------------------
  // Factors are chosen in cycles 5 and 7, when sum and difference are there.

  logic [1:0][1:0] select_q;
  logic [1:0][129:0] half;
  logic [259:0] p;
  logic zero, odd_flag;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [128:0] second_factor;
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic logic [1:0] choice(logic [1:0] source, logic upper);
    unique case (source)
      2'd1: return 2'd2;
      2'd2: return 2'd3;
      default: return {1'b0, upper};
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    select_q <= {choice(early_q[2].mul_b, phase_q[0]), choice(early_q[2].mul_a, phase_q[0])};
  end

  pm_half_factor u_a (
      .clk_i,
      .phase_i ({phase_q[1:0], phase_q[2]}),
      .select_i(select_q[0]),
      .lo_i    (lo[0]),
      .hi_i    (hi[0]),
      .sum_i   (sum),
      .diff_i  (diff),
      .factor_o(operand_o),
      .half_o  (half[0])
  );

  pm_half_factor u_b (
      .clk_i,
      .phase_i ({phase_q[1:0], phase_q[2]}),
      .select_i(select_q[1]),
      .lo_i    (lo[1]),
      .hi_i    (hi[1]),
      .sum_i   (sum),
      .diff_i  (diff),
      .factor_o(second_factor),
      .half_o  (half[1])
  );

  pm_karatsuba_skew #(
      .W(130),
      .Levels(3),
      .Segment(65)
  ) u_multiplier (
      .clk_i,
      .en_i(1'b1),
      .a_i (half[0]),
      .b_i (half[1]),
      .p_o (p)
  );

  pm_half_fold u_fold (
      .clk_i,
      .phase_i(phase_q),
      .p_i    (p),
      .lo_o   (product_lo),
      .hi_o   (product_hi),
      .zero_o (zero),
      .odd_o  (odd_flag)
  );

  // ---- writing ----------------------------------------------------------------------------------
  // Lower halves: the sum in cycle 5, the difference in cycle 7, the product in cycle 27; upper
  // halves two cycles later. What is loaded takes cycles in which nothing else is written.

  typedef enum logic [1:0] {
    WriteSum,
    WriteDiff,
    WriteProduct,
    WriteLoad
  } write_e;

  logic word_we, word_we_q, lo_load, hi_load;
  logic [AddrBits-1:0] word_addr, word_addr_q;
  write_e word_write, word_write_q, lo_write_q, later_write_q, hi_write_q, lo_late_q, hi_late_q;
  logic [1:0][128:0] diff_q;
  logic [128:0] load_q;
  logic [128:65] load_late_q;

  // What is written in the next cycle.
  always_comb begin
    if (turn_i) begin
      {word_we, word_addr} = {early_q[1].sum_we && stores_q[1], early_q[1].sum_addr};
      word_write = WriteSum;
    end else if (phase_q[2]) begin
      {word_we, word_addr} = {early_q[2].diff_we && stores_q[2], early_q[2].diff_addr};
      word_write = WriteDiff;
    end else begin
      {word_we, word_addr} = {product_q[9].write, product_q[9].addr};
      word_write = WriteProduct;
    end
  end

  assign lo_load = load_valid_i && load_ready_o && !load_upper_i;
  assign hi_load = load_valid_i && load_ready_o && load_upper_i;
  assign load_ready_o = !(load_upper_i ? later_we_q : word_we_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {word_we_q, lo_we_q, later_we_q, hi_we_q} <= '0;
    else begin
      word_we_q <= word_we;
      lo_we_q <= word_we_q || lo_load;
      later_we_q <= lo_we_q && lo_write_q != WriteLoad;
      hi_we_q <= later_we_q || hi_load;
    end
  end

  always_ff @(posedge clk_i) begin
    {word_addr_q, word_write_q} <= {word_addr, word_write};
    lo_addr_q <= word_we_q ? word_addr_q : load_addr_i;
    lo_write_q <= word_we_q ? word_write_q : WriteLoad;
    later_addr_q <= lo_addr_q;
    later_write_q <= lo_write_q;
    hi_addr_q <= later_we_q ? later_addr_q : load_addr_i;
    hi_write_q <= later_we_q ? later_write_q : WriteLoad;
    lo_late_q <= lo_write_q;
    hi_late_q <= hi_write_q;
    diff_q <= {diff_q[0], diff};
    if (load_valid_i && load_ready_o) load_q <= load_data_i;
    load_late_q <= load_q[128:65];
  end

  function automatic logic [64:0] lower_part(write_e what, logic [64:0] sums, logic [64:0] diffs,
                                             logic [64:0] products, logic [64:0] loads);
    unique case (what)
      WriteSum: return sums;
      WriteDiff: return diffs;
      WriteProduct: return products;
      default: return loads;
    endcase
  endfunction

  assign lo_data = {
    64'(lower_part(
        lo_late_q,
        65'(sum[128:65]),
        65'(diff_q[1][128:65]),
        65'(product_lo[128:65]),
        65'(load_late_q)
    )),
    lower_part(lo_write_q, sum[64:0], diff_q[1][64:0], product_lo[64:0], load_q[64:0])
  };
  assign hi_data = {
    64'(lower_part(
        hi_late_q,
        65'(sum[128:65]),
        65'(diff_q[1][128:65]),
        65'(product_hi[126:65]),
        65'(load_late_q)
    )),
    lower_part(hi_write_q, sum[64:0], diff_q[1][64:0], product_hi[64:0], load_q[64:0])
  };

  // ---- flags ------------------------------------------------------------------------------------

  logic [NumContexts-1:0] zeros_q, odds_q;

  always_ff @(posedge clk_i) begin
    if (phase_q[1] && product_q[Turns].canon) begin
      zeros_q[product_q[Turns].owner] <= zero;
      odds_q[product_q[Turns].owner]  <= odd_flag;
    end
    flag_zero_o <= zeros_q[flag_ctx_i];
    flag_odd_o  <= odds_q[flag_ctx_i];
  end

endmodule
