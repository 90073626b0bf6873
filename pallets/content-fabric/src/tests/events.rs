// SPDX-License-Identifier: Apache-2.0
//! Clients and indexers know the events by the enum of the primitives.

use scale_info::{MetaType, TypeDef, TypeInfo};

use crate::{
	mock::*, AccountIdOf, BalanceOf, CollectionNameOf, Event, FabricEvent, OtherNodesOf, ReasonOf,
	RecordKeyOf, SlaOf,
};

type SharedEvent = FabricEvent<
	AccountIdOf<Test>,
	BalanceOf<Test>,
	SlaOf<Test>,
	CollectionNameOf<Test>,
	RecordKeyOf<Test>,
	ReasonOf<Test>,
	OtherNodesOf<Test>,
>;

/// The name and the type of a field.
type Field = (Option<&'static str>, MetaType);

/// Returns the events of an enum: name, index and fields.
fn events<T: TypeInfo>() -> Vec<(&'static str, u8, Vec<Field>)> {
	let TypeDef::Variant(events) = T::type_info().type_def else { panic!("it is not an enum") };
	let events = events.variants.into_iter().map(|event| {
		let fields = event.fields.iter().map(|field| (field.name, field.ty)).collect();
		(event.name, event.index, fields)
	});
	events.collect()
}

#[test]
fn the_events_are_those_that_clients_know() {
	let (ours, shared) = (events::<Event<Test>>(), events::<SharedEvent>());
	for (ours, shared) in ours.iter().zip(&shared) {
		assert_eq!(ours, shared, "content_fabric_primitives::FabricEvent has another event");
	}
	assert_eq!(ours.len(), shared.len(), "content_fabric_primitives::FabricEvent has other events");
}
