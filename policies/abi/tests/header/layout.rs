//! Every struct lies in memory the same way in both languages, as a compiled C program says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use policy_abi::layout::{FieldLayout, Plain};
use policy_abi::{
    action, card, create, decision, descriptor, entry, head, host, log, params, seat, standard,
    text, view,
};

use crate::compile::{Language, compile};
use crate::generate;

/// The structs by their names in C.
fn rust() -> BTreeMap<&'static str, (usize, &'static [FieldLayout])> {
    fn of<T: Plain>(name: &'static str) -> (&'static str, (usize, &'static [FieldLayout])) {
        (name, (size_of::<T>(), T::FIELDS))
    }
    BTreeMap::from([
        of::<text::Text>("bp_text"),
        of::<text::TextArray>("bp_text_array"),
        of::<text::TextBuffer>("bp_text_buffer"),
        of::<params::Value>("bp_value"),
        of::<params::ParamDescriptor>("bp_param_descriptor"),
        of::<params::ParamDescriptorArray>("bp_param_descriptor_array"),
        of::<params::ParamValue>("bp_param_value"),
        of::<params::ParamValueArray>("bp_param_value_array"),
        of::<action::LegalAction>("bp_legal_action"),
        of::<action::LegalActionArray>("bp_legal_action_array"),
        of::<log::LogEvent>("bp_log_event"),
        of::<log::LogEventArray>("bp_log_event_array"),
        of::<head::ElementArray>("bp_element_array"),
        of::<head::ViewHead>("bp_view_head"),
        of::<seat::Meld>("bp_meld"),
        of::<seat::RiverTile>("bp_river_tile"),
        of::<seat::SeatView>("bp_seat_view"),
        of::<view::Rules>("bp_rules"),
        of::<view::CannotRon>("bp_cannot_ron"),
        of::<view::View>("bp_view"),
        of::<standard::StandardLegal>("bp_standard_legal"),
        of::<standard::StandardLogEvent>("bp_standard_log_event"),
        of::<standard::StandardSet>("bp_standard_set"),
        of::<standard::StandardRiverTile>("bp_standard_river_tile"),
        of::<standard::StandardSeatView>("bp_standard_seat_view"),
        of::<standard::StandardView>("bp_standard_view"),
        of::<card::CardLegal>("bp_card_legal"),
        of::<card::CardLogEvent>("bp_card_log_event"),
        of::<card::CardSeatView>("bp_card_seat_view"),
        of::<card::CardView>("bp_card_view"),
        of::<decision::Decision>("bp_decision"),
        of::<host::Host>("bp_host"),
        of::<create::CreateArgs>("bp_create_args"),
        of::<descriptor::PolicyDescriptor>("bp_policy_descriptor"),
        of::<descriptor::PolicyDescriptorArray>("bp_policy_descriptor_array"),
        of::<entry::Entry>("bp_entry"),
    ])
}

/// The size of each struct, and the place and size of each field, a line each.
pub(crate) fn numbers() -> String {
    let mut lines = String::new();
    for (name, (size, fields)) in rust() {
        let _ = writeln!(lines, "{name} {size}");
        for FieldLayout {
            name: field,
            offset,
            size,
        } in fields
        {
            let _ = writeln!(lines, "{name}.{field} {offset} {size}");
        }
    }
    lines
}

/// The header's structs with the names of their fields.
fn c(header: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut structs = BTreeMap::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in header
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        if let Some(name) = line
            .strip_prefix("typedef struct ")
            .and_then(|line| line.strip_suffix(" {"))
        {
            open = Some((name, Vec::new()));
        } else if line.starts_with('}') {
            structs.extend(open.take());
        } else if let (Some((_, fields)), Some(field)) = (&mut open, line.strip_suffix(';')) {
            let field = field.split('[').next().unwrap_or(field);
            fields.push(field.rsplit([' ', '*']).next().unwrap_or(field));
        }
    }
    structs
}

#[test]
fn the_header_has_every_struct_with_all_its_fields() {
    let header = generate::header();
    let rust: BTreeMap<_, Vec<_>> = rust()
        .into_iter()
        .map(|(name, (_, fields))| (name, fields.iter().map(|field| field.name).collect()))
        .collect();
    assert_eq!(c(&header), rust);
}

#[test]
fn sizes_and_offsets_are_the_same_in_c() {
    let mut program =
        String::from("#include <stdio.h>\n#include \"bot_policy.h\"\nint main(void) {\n");
    for (name, (_, fields)) in rust() {
        let _ = writeln!(program, "printf(\"{name} %zu\\n\", sizeof({name}));");
        for FieldLayout { name: field, .. } in fields {
            let _ = writeln!(
                program,
                "printf(\"{name}.{field} %zu %zu\\n\", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));"
            );
        }
    }
    program.push_str("return 0;\n}\n");

    let folder = tempfile::tempdir().expect("a folder can be made");
    let built = folder.path().join("layout");
    compile(Language::C, &program, Some(&built));
    let printed = Command::new(&built).output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&printed.stdout), numbers());
}
