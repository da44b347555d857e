//! Links between pages lead somewhere.

use std::path::{Component, Path, PathBuf};

use crate::pages::{PROJECT, Page};

/// A path without the steps that lead back.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(out.pop(), "{} leads out of the project", path.display()),
            other => out.push(other),
        }
    }
    out
}

/// What is wrong with a link of a page, if anything.
fn fault(pages: &[Page], page: &Page, link: &str) -> Option<String> {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let folder = Path::new(&page.path).parent().unwrap_or(Path::new(""));
    let path = if file.is_empty() { PathBuf::from(&page.path) } else { normal(&folder.join(file)) };
    if !Path::new(PROJECT).join(&path).is_file() {
        return Some(format!("{}: {link}: there is no such file", page.path));
    }
    let anchor = anchor?;
    let target = pages.iter().find(|page| Path::new(&page.path) == path);
    let there = target.is_some_and(|page| page.anchors().iter().any(|one| one == anchor));
    (!there).then(|| format!("{}: {link}: there is no such heading", page.path))
}

#[test]
fn every_link_between_pages_leads_to_a_file_and_a_heading() {
    let pages = Page::all();
    let (mut links, mut faults) = (0, Vec::new());
    for page in &pages {
        for link in page.links().iter().filter(|link| !link.contains("://")) {
            links += 1;
            faults.extend(fault(&pages, page, link));
        }
    }
    assert!(links > 100, "only {links} links are found");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_page_is_reached_from_readme() {
    let pages = Page::all();
    let mut reached = vec![PathBuf::from("README.md")];
    let mut at = 0;
    while let Some(path) = reached.get(at).cloned() {
        at += 1;
        let Some(page) = pages.iter().find(|page| Path::new(&page.path) == path) else { continue };
        for link in page.links() {
            let file = link.split('#').next().unwrap_or_default();
            let target = normal(&path.parent().unwrap_or(Path::new("")).join(file));
            if !file.is_empty() && !link.contains("://") && !reached.contains(&target) {
                reached.push(target);
            }
        }
    }
    let lost: Vec<&String> =
        pages.iter().map(|page| &page.path).filter(|path| !reached.contains(&PathBuf::from(path))).collect();
    assert!(lost.is_empty(), "no link leads to {lost:?}");
}

#[test]
fn a_page_has_each_heading_once_and_lists_those_it_lists_in_their_order() {
    for page in Page::all() {
        let anchors = page.anchors();
        for (at, anchor) in anchors.iter().enumerate() {
            assert!(!anchors[..at].contains(anchor), "{}: the heading {anchor} is there twice", page.path);
        }
        let listed = page.prose().into_iter().filter_map(|line| line.strip_prefix("- [")?.split_once("](#"));
        let listed: Vec<&str> = listed.filter_map(|(_, anchor)| anchor.strip_suffix(')')).collect();
        if !listed.is_empty() {
            assert_eq!(listed, anchors[1..].iter().map(String::as_str).collect::<Vec<_>>(), "{}", page.path);
        }
    }
}
