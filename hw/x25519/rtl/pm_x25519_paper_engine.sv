// SPDX-License-Identifier: Apache-2.0
//
// Engine of `x25519`, configuration `paper`: one X25519 (RFC 7748) at a time on four units of
// redundant limbs, by the program hw/x25519/ucode/paper.pmu; with Randomised by randomised.pmu.
//
// Computes:  result_o = u of [k] (u, v) in [0, p), on the curve or its twist, 0 for the point at
//            infinity, which result_zero_o says. k is clamped and bit 255 of u masked here; u from
//            p on is taken modulo p.
// Datapath:  unit i writes its own registers alone; ports of a unit reach the registers and
//            external values that the machine description lists. The ladder's exchange of points is
//            a choice among registers by one secret bit in the ports of the first words of a step;
//            nothing is moved and no flow depends on it.
// Latency:   25,071 cycles from the transfer of a job to result_valid_o, the same for every k and
//            u: 2, begin 4, 255 steps of 76, 255 pairs of square and product of 22, last product
//            22, full carry and reduction 52, 1. With Randomised begin takes 22. One job at a time;
//            the next one is accepted 2 cycles after its result was taken.
// Randomised: the two points of the ladder begin as (r : 0) and (u r : r) with r = 2 random_i + 1,
//            which is below 2^254 and so not 0 modulo p: a field value depends on r, the result
//            does not. A job is taken only together with a random number.
// Handshake: valid and ready; the result holds until taken. clear_i drops the job.
// Wiping:    in the cycle after a result is taken, after clear_i and after reset every register
//            that held data of a job becomes 0; only then is job_ready_o 1.
// Reset:     asynchronous, active low: no job; wipes in the first cycle.
// Constant time: yes, and no address depends on a secret but the choice of a register as above.
// Source:    Hu et al. 2024, J. Hefei Univ. Technol. 47(11), figures 1 and 3, algorithms 2 to 4.

module pm_x25519_paper_engine
  import pm_limb_pkg::*;
  import pm_x25519_pkg::*;
  import pm_x25519_paper_isa_pkg::*;
  import pm_x25519_paper_ucode_pkg::*;
#(
    parameter bit Randomised = 1'b0  // the ladder begins with random coordinates
) (
    input logic clk_i,
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // drop the job, make everything 0
    input logic job_valid_i,  // a job is offered
    output logic job_ready_o,  // it is taken
    input logic [255:0] job_k_i,  // its scalar, as received
    input logic [255:0] job_u_i,  // its coordinate, as received
    input logic random_valid_i = 1'b0,  // with Randomised: a number is there, taken with a job
    input logic [252:0] random_i = '0,  // uniform, unknown to an attacker
    output logic result_valid_o,  // a result is there
    input logic result_ready_i,  // it is taken
    output logic [255:0] result_o,  // in [0, p)
    output logic result_zero_o,  // it is 0
    output logic refused_o,  // it is none: the guard of the sequencer stopped the program
    output logic busy_o  // a job is inside
);

  typedef enum logic [1:0] {
    Wipe,
    Idle,
    Work,
    Done
  } state_e;

  state_e state_q;
  logic wipe, accept, digit, finish_up, canon_done, violation;

  assign wipe = state_q == Wipe;
  assign job_ready_o = state_q == Idle && !clear_i && (!Randomised || random_valid_i);
  assign accept = job_valid_i && job_ready_o;
  assign result_valid_o = state_q == Done;
  assign busy_o = state_q inside {Work, Done};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Wipe;
    end else if (clear_i) begin
      state_q <= Wipe;
    end else begin
      unique case (state_q)
        Wipe: state_q <= Idle;
        Idle: if (accept) state_q <= Work;
        Work: if (canon_done || violation) state_q <= Done;
        default: if (result_ready_i) state_q <= Wipe;
      endcase
    end
  end

  // -------------------------------------------------------------------------------------- program
  logic [RomAddrBits-1:0] rom_addr;
  logic [WordBits-1:0] rom_data;
  word_t word;
  pm_ucode_pkg::word_t control, issued;
  logic issue, unit_start, idle, ctx, next_ctx, dispatch, finish;
  logic [ArgBits-1:0] arg;

  if (Randomised) begin : g_randomised
    pm_x25519_randomised_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_data)
    );
  end else begin : g_plain
    pm_x25519_paper_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_data)
    );
  end

  assign word = rom_data;

  always_comb begin
    control = '0;
    control.delay = word.delay;
    control.ctl_op = pm_ucode_pkg::ctl_op_e'(word.ctl_op);
    control.ctl_cond = word.ctl_cond;
    control.ctl_inv = word.ctl_inv;
    control.ctl_arg = word.ctl_arg;
  end

  pm_sequencer #(
      .AddrBits(RomAddrBits),
      .PublicConditions(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i        (accept),
      .clear_i        (clear_i),
      .secret_i       (1'b1),
      .idle_o         (idle),
      .rom_addr_o     (rom_addr),
      .rom_word_i     (control),
      .valid_o        (issue),
      .ctx_o          (ctx),
      .next_ctx_o     (next_ctx),
      .word_o         (issued),
      .hold_i         (1'b0),
      .conditions_i   ('1),
      .dispatch_addr_i('0),
      .unit_start_o   (unit_start),
      .dispatch_o     (dispatch),
      .finish_o       (finish),
      .violation_o    (violation),
      .arg_o          (arg)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_o <= 1'b0;
    else refused_o <= !wipe && (refused_o || violation);
  end

  assign digit = unit_start && arg == UnitDigit;
  assign finish_up = unit_start && arg == UnitResult;

  // ------------------------------------------------------------------------------------------ job
  logic [254:0] k_q, u_q;
  logic before_q, index;  // the bit of the scalar before the present one; they differ
  logic [255:0] clamped;
  logic unused;

  assign clamped = pm_x25519_clamp(job_k_i);
  assign index   = k_q[254] != before_q;
  assign unused  = ^{clamped[255], job_u_i[255], idle, ctx, next_ctx, issued, dispatch, finish};

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      k_q <= '0;
      u_q <= '0;
      before_q <= 1'b0;
    end else if (accept) begin
      k_q <= clamped[254:0];
      u_q <= job_u_i[254:0];
    end else if (digit) begin
      k_q <= k_q << 1;
      before_q <= k_q[254];
    end
  end

  // ---------------------------------------------------------------------------- units and
  // registers
  localparam int unsigned Units = 4;
  localparam int unsigned Numbers = 1 << RegisterBits;  // of registers or external values

  // What ports reach beside the registers; the first external values are the same.
  localparam logic [Units-1:0][1:0][Numbers-1:0] Reach =
      Randomised ? pm_x25519_randomised_ucode_pkg::ReachExternals : ReachExternals;
  localparam int unsigned ExtRandom = 32'(pm_x25519_randomised_ucode_pkg::ExtR);

  limbs_t [Numbers-1:0] registers, externals;
  limbs_t [Units-1:0][1:0] operands;
  port_t  [Units-1:0][1:0] ports;
  logic [Units-1:0] start, second;
  logic [Units-1:0][1:0] ops;

  assign ports[0] = {word.u0_y, word.u0_x};
  assign ports[1] = {word.u1_y, word.u1_x};
  assign ports[2] = {word.u2_y, word.u2_x};
  assign ports[3] = {word.u3_y, word.u3_x};
  assign ops = {word.u3_op, word.u2_op, word.u1_op, word.u0_op};
  assign second = {word.u3_rd, word.u2_rd, word.u1_rd, word.u0_rd};
  assign start = issue ? {word.u3_en, word.u2_en, word.u1_en, word.u0_en} : '0;

  logic [252:0] random;

  if (Randomised) begin : g_random
    logic [252:0] random_q;

    always_ff @(posedge clk_i) begin
      if (wipe) random_q <= '0;
      else if (accept) random_q <= random_i;
    end

    assign random = random_q;
  end else begin : g_none
    logic unused_random;
    assign unused_random = ^{random_valid_i, random_i};
    assign random = '0;
  end

  always_comb begin
    for (int unsigned e = 0; e < Numbers; e++) begin
      externals[e] = limbs_of(ext_e'(e) == ExtU ? u_q : ext_constant(ext_e'(e)));
    end
    externals[ExtRandom] = limbs_of({1'b0, random, 1'b1});
  end

  for (genvar i = 0; i < Units; i++) begin : g_unit
    logic done, second_q;
    limbs_t result;

    always_comb begin
      for (int unsigned side = 0; side < 2; side++) begin
        operands[i][side] = '0;
        for (int unsigned n = 0; n < Numbers; n++) begin
          if (ReachRegisters[i][side][n] && ports[i][side].bank == BankReg &&
              (ports[i][side].number ^ RegisterBits'(ports[i][side].indexed && index)) ==
              RegisterBits'(n)) begin
            operands[i][side] |= registers[n];
          end
          if (Reach[i][side][n] && ports[i][side].bank == BankExt &&
              ports[i][side].number == RegisterBits'(n)) begin
            operands[i][side] |= externals[n];
          end
        end
      end
    end

    pm_limb_unit u_unit (
        .clk_i,
        .rst_ni,
        .clear_i(wipe),
        .start_i(start[i]),
        .op_i   (limb_op_e'(ops[i])),
        .x_i    (operands[i][0]),
        .y_i    (operands[i][1]),
        .done_o (done),
        .r_o    (result)
    );

    always_ff @(posedge clk_i) if (start[i]) second_q <= second[i];

    for (genvar slot = 0; slot < Numbers / Units; slot++) begin : g_register
      localparam int unsigned Number = i + Units * slot;

      if (Registers[Number]) begin : g_there
        limbs_t register_q;

        always_ff @(posedge clk_i) begin
          if (wipe) register_q <= '0;
          else if (done && second_q == 1'(slot)) register_q <= result;
        end

        assign registers[Number] = register_q;
      end else begin : g_none
        assign registers[Number] = '0;
      end
    end
  end

  // --------------------------------------------------------------------------------------- result
  pm_limb_canon u_canon (
      .clk_i,
      .rst_ni,
      .clear_i(wipe),
      .start_i(finish_up),
      .limbs_i(operands[0][0]),
      .done_o (canon_done),
      .r_o    (result_o[254:0]),
      .zero_o (result_zero_o)
  );

  assign result_o[255] = 1'b0;

endmodule
