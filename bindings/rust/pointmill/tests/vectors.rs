// SPDX-License-Identifier: Apache-2.0
//! RFC 8032 and Wycheproof on the simulated core, counted.

mod common;

use common::device;
use hex_literal::hex;
use pointmill::x25519::{PublicKey, StaticSecret};
use pointmill::{Job, Reason, Rule, SecretJob, Signature, Signer, SigningKey, Verifier};
use wycheproof::{eddsa, xdh, TestResult};

type Known = ([u8; 32], [u8; 32], &'static [u8], [u8; 64]);

/// Seed, public key, message and signature of RFC 8032, 7.1, tests 1 to 3.
const RFC8032: [Known; 3] = [
    (
        hex!("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"),
        hex!("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
        b"",
        hex!(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        hex!("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
        hex!("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
        &[0x72],
        hex!(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        hex!("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"),
        hex!("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"),
        &[0xaf, 0x82],
        hex!(
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
];

#[test]
fn rfc8032_signs_and_verifies() {
    for (seed, public, message, signature) in RFC8032 {
        let key = SigningKey::from_bytes(device(), &seed).unwrap();
        assert_eq!(key.verifying_key().as_bytes(), &public);
        assert_eq!(key.sign(message).to_bytes(), signature);
        let signature = Signature::from_bytes(&signature);
        key.verifying_key().verify(message, &signature).unwrap();
        let forged = key.verifying_key().verify(b"another message", &signature).unwrap_err();
        assert!(std::error::Error::source(&forged).is_none());
        let verdict = key.verifying_key().verdict(b"another message", &signature).unwrap();
        assert_eq!(verdict.reason, Reason::EquationFails);
        assert!(verdict.cycles > 0);
    }
}

#[test]
fn wycheproof_ed25519() {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    let cases: Vec<_> =
        set.test_groups.iter().flat_map(|group| group.tests.iter().map(move |t| (&group.key.pk, t))).collect();
    let jobs: Vec<Job<'_>> = cases
        .iter()
        .map(|(pk, test)| Job {
            public_key: pk,
            signature: &test.sig,
            message: &test.msg,
            rule: Rule::Rfc8032Cofactorless,
        })
        .collect();
    let verdicts = device().verify_batch(&jobs).unwrap();
    let mut valid = 0;
    for ((_, test), verdict) in cases.iter().zip(&verdicts) {
        assert_eq!(verdict.is_valid(), test.result == TestResult::Valid, "case {}: {}", test.tc_id, test.comment);
        assert_eq!(verdict.reason == Reason::MalformedJob, test.sig.len() != 64, "case {}", test.tc_id);
        valid += usize::from(verdict.is_valid());
    }
    assert_eq!((verdicts.len(), valid), (151, 88));
}

#[test]
fn wycheproof_x25519() {
    // One in so many cases; with 9 there is every kind of case.
    let step: usize = std::env::var("POINTMILL_TEST_STEP").map_or(1, |text| text.parse().unwrap());
    let set = xdh::TestSet::load(xdh::TestName::X25519).unwrap();
    let cases = set.test_groups.iter().flat_map(|group| &group.tests).filter(|t| t.public_key.len() == 32);
    let cases: Vec<_> = cases.step_by(step).collect();
    let pairs: Vec<([u8; 32], [u8; 32])> = cases
        .iter()
        .map(|test| (test.private_key[..].try_into().unwrap(), test.public_key[..].try_into().unwrap()))
        .collect();
    let jobs: Vec<SecretJob<'_>> = pairs.iter().map(|(scalar, u)| SecretJob::X25519 { scalar, u }).collect();
    let results = device().secret_batch(&jobs).unwrap();
    let mut zero = 0;
    for (test, result) in cases.iter().zip(&results) {
        let secret = result.as_ref().unwrap();
        assert_eq!(secret.as_bytes(), &test.shared_secret[..], "case {}", test.tc_id);
        assert_eq!(secret.is_all_zero(), test.shared_secret.iter().all(|byte| *byte == 0), "case {}", test.tc_id);
        zero += usize::from(secret.is_all_zero());
    }
    let counts = match step {
        1 => (518, 31),
        9 => (58, 5),
        _ => panic!("no counts for one in {step} cases"),
    };
    assert_eq!((results.len(), zero), counts);
}

/// RFC 7748, 6.1.
#[test]
fn rfc7748_key_agreement() {
    let side = |scalar: &[u8; 32]| StaticSecret::from_bytes(device(), scalar);
    let alice = side(&hex!("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
    let bob = side(&hex!("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
    let (a, b) = (alice.public_key().unwrap(), bob.public_key().unwrap());
    assert_eq!(a.0, hex!("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"));
    assert_eq!(b.0, hex!("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"));
    let shared = alice.diffie_hellman(&b).unwrap();
    assert_eq!(shared.as_bytes(), &hex!("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"));
    assert_eq!(bob.diffie_hellman(&a).unwrap().as_bytes(), shared.as_bytes());
    assert!(shared.was_contributory());
    assert!(!alice.diffie_hellman(&PublicKey([0; 32])).unwrap().was_contributory());
}
