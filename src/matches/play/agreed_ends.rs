use crate::log::{EndedInnings, Reversal};

/// The innings that end by agreement, as corrections say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AgreedEnds {
    /// Those that have ended so, in order.
    met: Vec<EndedInnings>,
    /// Those that will, in order.
    due: Vec<EndedInnings>,
    /// Those that a restoration would bring back.
    void: Vec<EndedInnings>,
}

impl AgreedEnds {
    /// The innings that have ended by agreement.
    pub fn met(&self) -> &[EndedInnings] {
        &self.met
    }

    /// Whether an innings has ended so, or will.
    pub fn has(&self, ended: &EndedInnings) -> bool {
        self.met.contains(ended) || self.due.contains(ended)
    }

    /// Whether an innings will end so.
    pub fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// The innings that had ended so in the play that the last correction made void.
    pub fn void(&self) -> &[EndedInnings] {
        &self.void
    }

    /// Notes that an innings ends by agreement now.
    pub fn meet(&mut self, ended: EndedInnings) {
        self.met.push(ended);
    }

    /// Whether the innings in progress ends by agreement after this number of deliveries. Where the rules
    /// have ended it there, nothing was to be agreed on.
    pub fn meet_due(&mut self, innings: u16, deliveries: u32) -> bool {
        match self.due.first().copied() {
            Some(ended) if ended.after <= deliveries => {
                self.due.remove(0);
                let is_met = ended == EndedInnings { innings, after: deliveries };
                if is_met {
                    self.met.push(ended);
                }
                is_met
            }
            _ => false,
        }
    }

    /// What holds after a correction or a restoration, on what held before the events that it makes void.
    pub fn after(
        now: Option<&AgreedEnds>,
        before: Option<&AgreedEnds>,
        reversal: Reversal<'_>,
    ) -> AgreedEnds {
        let met = before.map(|before| before.met.clone()).unwrap_or_default();
        let due = match reversal {
            Reversal::Correction(correction) => correction.ended.clone(),
            Reversal::Restoration(_) => now.map(|now| now.void.clone()).unwrap_or_default(),
        };
        let all = now.into_iter().flat_map(|now| now.met.iter().chain(&now.due));
        let void = all.filter(|ended| !met.contains(ended)).copied().collect();
        AgreedEnds { met, due, void }
    }

    /// What holds at an earlier state of the same play, after this number of deliveries.
    pub fn resumed(self, now: &AgreedEnds, deliveries: u32) -> AgreedEnds {
        let later = now.met.iter().chain(&now.due).filter(|ended| ended.after >= deliveries);
        let due = later.filter(|ended| !self.met.contains(ended)).copied().collect();
        AgreedEnds { due, ..self }
    }
}
