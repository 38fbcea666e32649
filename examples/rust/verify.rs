// SPDX-License-Identifier: Apache-2.0
//! Signs, verifies, and verifies a batch and a forged message.
use pointmill::{verify_batch, Device, Signer, SigningKey, Verifier};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::open("sim", "throughput")?;
    let key = SigningKey::generate(&device)?;
    let public = key.verifying_key();

    let signature = key.try_sign(b"pay 1 to Alice")?;
    public.verify(b"pay 1 to Alice", &signature)?;
    println!("valid");

    let messages: Vec<Vec<u8>> = (0..20).map(|i| format!("message {i}").into_bytes()).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let signatures = messages.iter().map(|m| key.try_sign(m)).collect::<Result<Vec<_>, _>>()?;
    verify_batch(&messages, &signatures, &vec![public.clone(); 20])?;
    println!("20 valid");

    let forged = public.verdict(b"pay 1000 to Alice", &signature)?;
    println!("{} after {} cycles", forged.reason, forged.cycles);
    Ok(())
}
