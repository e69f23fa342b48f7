// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every stage of the pipeline without its type: as a netlist, as the reference, and as the compiled model.

use pipeline::blocks::designs::{ArbiterConfig, FifoConfig, SkidBufferConfig};
use pipeline::elab::feedback::ElabFeedbackConfig;
use pipeline::elab::host::ElabHostConfig;
use pipeline::elab::scheduler::ElabSchedulerConfig;
use pipeline::examples::mark_monitor::MarkMonitorConfig;
use pipeline::examples::tally::TallyConfig;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::IcrcConfig;
use pipeline::nic::NicConfig;
use pipeline::receive::ack_generator::AckGeneratorConfig;
use pipeline::receive::context_lookup::ContextLookupConfig;
use pipeline::receive::credit_pacer::CreditPacerConfig;
use pipeline::receive::reorder::ReorderConfig;
use pipeline::receive::request_check::RequestCheckConfig;
use pipeline::receive::rx::RxConfig;
use pipeline::routing::lia_router::LiaRouterConfig;
use pipeline::transmit::ccc_table::CccTableConfig;
use pipeline::transmit::entropy_selector::EntropySelectorConfig;
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use pipeline::transmit::path_scheduler::PathSchedulerConfig;
use pipeline::transmit::tx::TxConfig;
use rtl_model::netlist::circuit::Circuit;
use rtl_model::{Design, elaborate};
use testbench::device::model::{model_of, reference_of, watched_reference_of};
use testbench::device::source::Source;
use testbench::{Dut, Error};

macro_rules! stages {
    ($($name:ident($config:ty),)*) => {
        /// A stage with a configuration.
        #[expect(clippy::large_enum_variant, reason = "there are few values, each for a short time")]
        #[derive(Clone, Copy, Debug)]
        pub enum AnyStage {
            $(#[doc = concat!("[`", stringify!($config), "`]")] $name($config),)*
        }

        $(impl From<$config> for AnyStage {
            fn from(config: $config) -> Self {
                AnyStage::$name(config)
            }
        })*

        impl AnyStage {
            /// The name of its module.
            pub fn module_name(&self) -> String {
                match self {
                    $(AnyStage::$name(config) => config.module_name(),)*
                }
            }

            /// Elaborates its netlist; the error lists all that is wrong with it.
            pub fn circuit(&self) -> Result<Circuit, Error> {
                let circuit = match self {
                    $(AnyStage::$name(config) => elaborate(config),)*
                };
                circuit.map_err(|report| Error::Design(report.to_string()))
            }

            /// Its model at power-up, compiled from the netlist.
            pub fn model(&self) -> Result<Box<dyn Dut>, Error> {
                match self {
                    $(AnyStage::$name(config) => model_of(config),)*
                }
            }

            /// The reference at power-up.
            pub fn reference(&self) -> Result<Box<dyn Dut>, Error> {
                match self {
                    $(AnyStage::$name(config) => reference_of(config),)*
                }
            }

            /// The reference at power-up, with its registers as probes.
            pub fn watched_reference(&self) -> Result<Box<dyn Dut>, Error> {
                match self {
                    $(AnyStage::$name(config) => watched_reference_of(config),)*
                }
            }
        }
    };
}

stages! {
    HeaderParser(HeaderParserConfig),
    HeaderBuilder(HeaderBuilderConfig),
    Icrc(IcrcConfig),
    FrameGate(FrameGateConfig),
    ContextLookup(ContextLookupConfig),
    Reorder(ReorderConfig),
    RequestCheck(RequestCheckConfig),
    Rx(RxConfig),
    Nic(NicConfig),
    AckGenerator(AckGeneratorConfig),
    EntropySelector(EntropySelectorConfig),
    PathScheduler(PathSchedulerConfig),
    CccTable(CccTableConfig),
    PacketTracker(PacketTrackerConfig),
    CreditPacer(CreditPacerConfig),
    LiaRouter(LiaRouterConfig),
    Tx(TxConfig),
    ElabScheduler(ElabSchedulerConfig),
    ElabFeedback(ElabFeedbackConfig),
    ElabHost(ElabHostConfig),
    MarkMonitor(MarkMonitorConfig),
    Tally(TallyConfig),
    Fifo(FifoConfig),
    SkidBuffer(SkidBufferConfig),
    Arbiter(ArbiterConfig),
}

impl AnyStage {
    /// Prints its Verilog.
    pub fn source(&self) -> Result<Source, Error> {
        Source::of_circuit(&self.circuit()?)
    }
}
