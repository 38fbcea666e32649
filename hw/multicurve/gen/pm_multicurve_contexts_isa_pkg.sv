// Generated from hw/lib/seq/isa_skew.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The microinstruction, see docs/isa-contexts.md.
package pm_multicurve_contexts_isa_pkg;

  localparam int unsigned WordBits = 83;
  localparam int unsigned RegisterBits = 3;
  localparam int unsigned ConditionBits = 3;
  localparam int unsigned ArgBits = 10;
  localparam int unsigned DelayBits = 2;

  // Control operations
  typedef enum logic [2:0] {
    CtlNext = 3'd0,  // go on with the next microinstruction
    CtlBranch = 3'd1,  // go to arg if the condition holds
    CtlWait = 3'd4,  // stay on this microinstruction until the condition holds
    CtlStart = 3'd5,  // start side unit arg, with the operand u if it has one
    CtlDispatch = 3'd6,  // go to the program of the digit scan's next operation, and step it
    CtlFinish = 3'd7  // end the job with reason arg if the condition holds
  } ctl_op_e;

  // Register banks
  typedef enum logic [1:0] {
    BankReg = 2'd0,  // registers of the context
    BankExt = 2'd1   // numbers that the contexts share
  } bank_e;

  // A read port: register of a bank, its number XOR-ed with the digit's index if indexed
  typedef struct packed {
    logic indexed;
    bank_e bank;
    logic [2:0] number;
  } port_t;

  // The word
  typedef struct packed {
    logic [1:0] delay;  // turns until the next microinstruction, less one
    ctl_op_e ctl_op;  // control operation
    logic [2:0] ctl_cond;  // condition of branch, wait and finish
    logic ctl_inv;  // take the condition inverted
    logic [9:0] ctl_arg;  // branch target, unit or reason
    port_t u;  // operand of a side unit: {indexed, bank, register}
    logic s0_en;  // begin the first sum, x + y
    logic s0_sub;  // it is a difference
    logic s0_double;  // it takes 2 y
    logic [2:0] s0_scale;  // 2^(scale - 1) times the scaled modulus is added; 0: none
    port_t s0_x;  // its first operand
    port_t s0_y;  // its second operand
    logic [2:0] s0_rd;  // its destination
    logic s1_en;  // the same for the second sum
    logic s1_sub;  // a difference
    logic s1_double;  // 2 y
    logic [2:0] s1_scale;  // multiple of the scaled modulus
    port_t s1_x;  // first operand
    port_t s1_y;  // second operand
    logic [2:0] s1_rd;  // destination
    logic m_en;  // begin a product
    port_t m_a;  // its first factor
    port_t m_b;  // its second factor
    logic [2:0] m_rd;  // its destination
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
