//! Tables of codes: each pair of a code and a variant is written once, for both directions.

/// Writes two functions for an enum without fields: one that encodes it, and one that decodes a
/// known code. A variant after `else` is only encoded.
macro_rules! codes {
    (
        $(#[$meta:meta])*
        $vis:vis $encode:ident, $decode:ident: $enum:ident {
            $($code:ident = $variant:ident,)*
        } $(else { $only:pat => $only_code:ident })?
    ) => {
        $(#[$meta])*
        $vis const fn $encode(value: $enum) -> u8 {
            match value {
                $($enum::$variant => $code,)*
                $($only => $only_code,)?
            }
        }

        #[inline(always)]
        pub(crate) fn $decode(code: u8) -> Option<$enum> {
            match code {
                $($code => Some($enum::$variant),)*
                _ => None,
            }
        }
    };
}
pub(crate) use codes;

/// Implements `write` for the writer and `read` for the reader of an enum whose variants have
/// fields.
///
/// Both have a method for each field: the writer's puts the value into its `coded` struct, the
/// reader's takes it from there. A field with `as` uses the method of that name. `read` wraps what
/// it finds in `known`, and asks `unknown` about a kind without a row; `write` leaves the kind of
/// the variants after `else` at 0.
macro_rules! kind_codes {
    (
        $enum:ident, $writer:ty, $reader:ty {
            $(
                $code:ident = $variant:ident
                    $(($($tuple:ident),*))?
                    $({ $($named:ident $(as $method:ident)?),* })?,
            )*
        } $(else { $rest:pat })?
    ) => {
        impl $writer {
            #[inline(always)]
            fn write(&mut self, value: &$enum) {
                match value {
                    $(
                        $enum::$variant $(($($tuple),*))? $({ $($named),* })? => {
                            self.coded.kind = $code;
                            $($(self.$tuple(*$tuple);)*)?
                            $($($crate::code_table::field!(self, $named $($method)?, *$named);)*)?
                        }
                    )*
                    $($rest => {})?
                }
            }
        }

        impl $reader {
            #[inline(always)]
            pub(crate) fn read<T>(
                &self,
                known: impl FnOnce($enum) -> T,
                unknown: impl FnOnce(u8) -> Result<T, crate::error::BadView>,
            ) -> Result<T, crate::error::BadView> {
                Ok(known(match self.coded.kind {
                    $(
                        $code => {
                            $($(let $tuple = self.$tuple()?;)*)?
                            $($(
                                let $named = $crate::code_table::field!(self, $named $($method)?)?;
                            )*)?
                            $enum::$variant $(($($tuple),*))? $({ $($named),* })?
                        }
                    )*
                    code => return unknown(code),
                }))
            }
        }
    };
}
pub(crate) use kind_codes;

/// Calls the method of a field: that of its own name, or the one after it.
macro_rules! field {
    ($coder:ident, $named:ident $(, $value:expr)?) => {
        $coder.$named($($value)?)
    };
    ($coder:ident, $named:ident $method:ident $(, $value:expr)?) => {
        $coder.$method($($value)?)
    };
}
pub(crate) use field;
