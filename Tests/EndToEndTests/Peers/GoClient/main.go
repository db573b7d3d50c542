// A client made of containerd's own ttrpc package: what it prints is what a peer that knows nothing of marvel-rpc's
// extensions sees. Usage: goclient HOST:PORT
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/status"
)

type searchRequest struct {
	Query    string `protobuf:"bytes,1,opt,name=query,proto3"`
	PageSize int32  `protobuf:"varint,3,opt,name=page_size,proto3"`
}

type character struct {
	Id   int64  `protobuf:"varint,1,opt,name=id,proto3"`
	Name string `protobuf:"bytes,2,opt,name=name,proto3"`
}

type searchResponse struct {
	Characters    []*character `protobuf:"bytes,1,rep,name=characters,proto3"`
	Total         int32        `protobuf:"varint,2,opt,name=total,proto3"`
	NextPageToken string       `protobuf:"bytes,3,opt,name=next_page_token,proto3"`
}

type listRequest struct {
	List string `protobuf:"bytes,1,opt,name=list,proto3"`
}

type listResponse struct {
	Revision int64 `protobuf:"varint,2,opt,name=revision,proto3"`
	Capacity int32 `protobuf:"varint,3,opt,name=capacity,proto3"`
}

func (m *searchRequest) Reset()          { *m = searchRequest{} }
func (m *searchRequest) String() string  { return proto.CompactTextString(m) }
func (*searchRequest) ProtoMessage()     {}
func (m *character) Reset()              { *m = character{} }
func (m *character) String() string      { return proto.CompactTextString(m) }
func (*character) ProtoMessage()         {}
func (m *searchResponse) Reset()         { *m = searchResponse{} }
func (m *searchResponse) String() string { return proto.CompactTextString(m) }
func (*searchResponse) ProtoMessage()    {}
func (m *listRequest) Reset()            { *m = listRequest{} }
func (m *listRequest) String() string    { return proto.CompactTextString(m) }
func (*listRequest) ProtoMessage()       {}
func (m *listResponse) Reset()           { *m = listResponse{} }
func (m *listResponse) String() string   { return proto.CompactTextString(m) }
func (*listResponse) ProtoMessage()      {}

const service = "marvel.v1.MarvelService"

func main() {
	connection, err := net.Dial("tcp", os.Args[1])
	if err != nil {
		fmt.Println("dial:", err)
		os.Exit(1)
	}
	client := ttrpc.NewClient(connection)
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	var page searchResponse
	err = client.Call(ctx, service, "SearchCharacters", &searchRequest{Query: "spider-man", PageSize: 3}, &page)
	report("search", err)
	fmt.Println("characters", len(page.Characters), "more", page.NextPageToken != "")
	for _, found := range page.Characters {
		fmt.Println(found.Id, found.Name)
	}

	var list listResponse
	report("list", client.Call(ctx, service, "ListFavorites", &listRequest{}, &list))
	fmt.Println("revision", list.Revision, "capacity", list.Capacity)

	report("short query", client.Call(ctx, service, "SearchCharacters", &searchRequest{Query: "s"}, &page))
	report("unknown method", client.Call(ctx, service, "Nothing", &listRequest{}, &list))

	done := make(chan error, 100)
	for call := 0; call < cap(done); call++ {
		go func() {
			var page searchResponse
			done <- client.Call(ctx, service, "SearchCharacters", &searchRequest{Query: "iron"}, &page)
		}()
	}
	failures := 0
	for call := 0; call < cap(done); call++ {
		if <-done != nil {
			failures++
		}
	}
	fmt.Println("concurrent failures", failures)
}

func report(what string, err error) {
	fmt.Println(what, status.Code(err))
}
