// Generated from hw/x25519/ucode/paper_isa.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The microinstruction, see docs/isa-x25519-paper.md.
package pm_x25519_paper_isa_pkg;

  localparam int unsigned WordBits = 88;
  localparam int unsigned RegisterBits = 3;
  localparam int unsigned ConditionBits = 5;
  localparam int unsigned ArgBits = 10;
  localparam int unsigned DelayBits = 4;

  // Control operations
  typedef enum logic [3:0] {
    CtlNext = 4'd0,  // go on with the next microinstruction
    CtlBranch = 4'd1,  // go to arg if the condition holds
    CtlLoopSet = 4'd2,  // set the loop counter to arg
    CtlLoopEnd = 4'd3,  // count down; go to arg while the counter is not zero
    CtlWait = 4'd4,  // stay on this microinstruction until the condition holds
    CtlStart = 4'd5,  // start side unit arg (its operand, if any, is the first operand of unit 0)
    CtlFinish = 4'd7  // end the job with reason arg if the condition holds
  } ctl_op_e;

  // Register banks
  typedef enum logic [1:0] {
    BankReg = 2'd0,  // registers; register r belongs to unit r mod 4
    BankExt = 2'd1   // external values, by number
  } bank_e;

  // A read port: register of a bank, its number XOR-ed with the digit's index if indexed
  typedef struct packed {
    logic indexed;
    bank_e bank;
    logic [2:0] number;
  } port_t;

  // The word
  typedef struct packed {
    logic [3:0] delay;  // cycles until the next microinstruction, less one
    ctl_op_e ctl_op;  // control operation
    logic [4:0] ctl_cond;  // condition of branch, wait and finish
    logic ctl_inv;  // take the condition inverted
    logic [9:0] ctl_arg;  // branch target, loop count, unit or reason
    logic u0_en;  // start an operation on unit 0
    logic [1:0] u0_op;  // which: 0 product, 1 product by a small constant, 2 sum, 3 difference
    port_t u0_x;  // its first operand: {indexed, bank, register}; the operand of a side unit
    port_t u0_y;  // its second operand
    logic u0_rd;  // its result goes to the unit's second register
    logic u1_en;  // the same for unit 1
    logic [1:0] u1_op;  // operation
    port_t u1_x;  // first operand
    port_t u1_y;  // second operand
    logic u1_rd;  // second register
    logic u2_en;  // the same for unit 2
    logic [1:0] u2_op;  // operation
    port_t u2_x;  // first operand
    port_t u2_y;  // second operand
    logic u2_rd;  // second register
    logic u3_en;  // the same for unit 3
    logic [1:0] u3_op;  // operation
    port_t u3_x;  // first operand
    port_t u3_y;  // second operand
    logic u3_rd;  // second register
  } word_t;

  // Whether control flow behind this operation may depend on data; public_condition: its condition does not.
  function automatic logic depends_on_data(ctl_op_e op, logic public_condition);
    unique case (op)
      CtlBranch, CtlWait, CtlFinish: return !public_condition;
      default: return 1'b0;
    endcase
  endfunction

endpackage
