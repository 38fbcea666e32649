// Generated from hw/lib/seq/isa_dual.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The microinstruction, see docs/isa-multicurve.md.
package pm_dual_ucode_pkg;

  localparam int unsigned WordBits = 106;
  localparam int unsigned RegisterBits = 4;
  localparam int unsigned ConditionBits = 5;
  localparam int unsigned ArgBits = 10;

  // Control operations
  typedef enum logic [3:0] {
    CtlNext = 4'd0,  // go on with the next microinstruction
    CtlBranch = 4'd1,  // go to arg if the condition holds
    CtlLoopSet = 4'd2,  // set the loop counter to arg
    CtlLoopEnd = 4'd3,  // count down; go to arg while the counter is not zero
    CtlWait = 4'd4,  // stay on this microinstruction until the condition holds
    CtlStart = 4'd5,  // start side unit arg (its operand, if any, is the first operand of the first sum)
    CtlDispatch = 4'd6,  // go to the program of the digit scan's next operation, and step it
    CtlFinish = 4'd7  // end the job with reason arg if the condition holds
  } ctl_op_e;

  // Register banks
  typedef enum logic [1:0] {
    BankReg   = 2'd0,  // registers
    BankExt   = 2'd1,  // the external value selected by the field ext
    BankChain = 2'd2,  // the first sum of this cycle
    BankZero  = 2'd3   // 0
  } bank_e;

  // A read port: register of a bank, its number XOR-ed with the digit's index if indexed
  typedef struct packed {
    logic indexed;
    bank_e bank;
    logic [3:0] number;
  } port_t;

  // The word
  typedef struct packed {
    logic wait0;  // stay until the product of multiplier 0 is there
    logic wait1;  // the same for multiplier 1
    ctl_op_e ctl_op;  // control operation
    logic [4:0] ctl_cond;  // condition of branch, wait and finish
    logic ctl_inv;  // take the condition inverted
    logic [9:0] ctl_arg;  // branch target, loop count, unit or reason
    logic [3:0] ext;  // external value that ports of bank ext read
    logic m0_en;  // start a product on multiplier 0
    port_t m0_a;  // its first factor: {indexed, bank, register}
    port_t m0_b;  // its second factor
    logic [3:0] m0_rd;  // its destination
    logic m1_en;  // start a product on multiplier 1
    port_t m1_a;  // its first factor
    port_t m1_b;  // its second factor
    logic [3:0] m1_rd;  // its destination
    logic s0_we;  // store the first sum
    logic s0_sub;  // it is a difference
    logic s0_flag;  // push its zero flag
    port_t s0_x;  // its first operand; the operand of a side unit
    port_t s0_y;  // its second operand
    logic [3:0] s0_rd;  // its destination
    logic s1_we;  // store the second sum
    logic s1_sub;  // it is a difference
    logic s1_flag;  // push its zero flag, after that of the first
    port_t s1_x;  // its first operand
    port_t s1_y;  // its second operand
    logic [3:0] s1_rd;  // its destination
  } word_t;

  // Whether control flow behind this operation may depend on data; public_condition: its condition does not.
  function automatic logic depends_on_data(ctl_op_e op, logic public_condition);
    unique case (op)
      CtlDispatch: return 1'b1;
      CtlBranch, CtlWait, CtlFinish: return !public_condition;
      default: return 1'b0;
    endcase
  endfunction

endpackage
