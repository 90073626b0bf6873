use crate::mock::*;
#[test]
fn smoke() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 3));
		governance_delete(THE_TENANT).unwrap();
		println!("{:?}", events());
	});
	chain.idle();
	chain.block(|| assert_eq!(ContentFabric::rows(THE_TENANT), None));
}
